/** Media type of a form, in which some senders put the JSON of a webhook: GitHub does unless it is told otherwise. */
export const formType = 'application/x-www-form-urlencoded';

/** Returns the JSON text of a form that has a field `payload` alone, as GitHub and Slack send it; undefined for other forms. */
export function payloadOf(text: string): string | undefined {
  const fields = [...new URLSearchParams(text)];
  return fields.length === 1 && fields[0]?.[0] === 'payload' ? fields[0][1] : undefined;
}

/** Returns the fields of a form; one that comes several times is a list. */
export function readForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** Whether a header Content-Type names a form. */
export function isForm(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === formType;
}
