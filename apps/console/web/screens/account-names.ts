/** The filter for accounts whose name for people contains a text; undefined for none. */
export function nameContains(text: string): string | undefined {
  return text === '' ? undefined : `fullname[like]"%${text.replaceAll(/["\\%_]/g, '\\$&')}%"`;
}
