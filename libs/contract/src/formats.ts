// Functions for the formats of the contract. The generated validators call them by the name of the format.

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;

/** The common form of RFC 3339, which a Date can always hold. To parse a time takes seven times as long as to look at it. */
const commonTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** True for a time as in RFC 3339 that a Date can hold. The second 60, which the RFC allows, it cannot: such times have no order. */
export function isDateTime(text: string): boolean {
  return commonTime.test(text) || (rfc3339.test(text) && !Number.isNaN(Date.parse(text)));
}
export { isDateTime as 'date-time' };

/** True for base64 as in RFC 4648, with or without padding. */
export function base64(text: string): boolean {
  return withoutPadding(Buffer.from(text, 'base64').toString('base64')) === withoutPadding(text);
}

function withoutPadding(text: string): string {
  return text.replace(/(?<!=)=+$/, '');
}
