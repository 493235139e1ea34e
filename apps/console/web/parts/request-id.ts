const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;
const record = /\breq_[\da-z]+\b/;

/** The id of a request in a text that somebody has pasted, as `instance` of a problem; undefined for other texts. */
export function idOfRequest(text: string): string | undefined {
  return (record.exec(text) ?? uuid.exec(text))?.[0];
}
