/** Media type of a form, in which some senders put the JSON of a webhook: GitHub does unless it is told otherwise. */
const formType = 'application/x-www-form-urlencoded';

/** The fields of a form; one that comes several times is a list. */
export type FormFields = Record<string, string | string[]>;

/** Returns the JSON text of a form that has a field `payload` alone, as GitHub and Slack send it; undefined for other forms. */
export function payloadOf({ payload, ...others }: FormFields): string | undefined {
  const isAlone = Object.keys(others).length === 0;
  return isAlone && typeof payload === 'string' ? payload : undefined;
}

export function readForm(text: string): FormFields {
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
