/** The filter for accounts whose name for people contains a text; undefined for none. */
export function nameContains(text: string): string | undefined {
  return text === '' ? undefined : contains('fullname', text);
}

/** The filter for records of which a field contains a text; `%` and `*` in it stand for any text. */
export function contains(field: string, text: string): string {
  return `${field}[like]"%${text.replaceAll('"', '\\"')}%"`;
}
