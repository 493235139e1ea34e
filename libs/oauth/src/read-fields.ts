export type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of an answer, as JSON or as a form; undefined for anything else, such as a page. Null is as absent. */
export function readFields(text: string): Fields | undefined {
  const value = readJson(text);
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  return value === undefined && /^\s*[\w.%+-]{1,100}=/.test(text) && !/[<\s]/.test(text.trim())
    ? Object.fromEntries(new URLSearchParams(text.trim()))
    : undefined;
}

/** Returns the value of a text of JSON; undefined for another text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the first of these fields that is a text, or a number. */
export function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}
