/** Reads CSV (RFC 4180) with a line of names: fields may be quoted, and have commas, quotes and line breaks then. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  // A quoted or plain field, then what ends it.
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  const [names = [], ...lines] = rows;
  return lines
    .filter((fields) => fields.length === names.length)
    .map((fields) => Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ''])));
}
