/** Lays out a JSON text, and leaves each value as it is written: parsing would round numbers beyond 2^53. */
export function formatJson(text: string): string {
  let out = '';
  let depth = 0;
  let isOpened = false; // by the part before; an empty object or list stays on its line
  const line = () => `\n${'  '.repeat(depth)}`;
  // Strings, brackets and separators, and everything else up to the next of them.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    if (part === '}' || part === ']') {
      depth -= 1;
      out += isOpened ? part : line() + part;
      isOpened = false;
      continue;
    }
    if (isOpened) out += line();
    isOpened = part === '{' || part === '[';
    if (isOpened) depth += 1;
    if (part === ',') out += part + line();
    else out += part === ':' ? ': ' : part;
  }
  return out;
}
