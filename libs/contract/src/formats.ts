// Functions for formats that a regular expression cannot check in bounded memory. The generated validators call them by name.

/** True for base64 as in RFC 4648, with or without padding. */
export function base64(text: string): boolean {
  return withoutPadding(Buffer.from(text, 'base64').toString('base64')) === withoutPadding(text);
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, '');
}
