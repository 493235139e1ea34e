/** True when a text equals the pattern; a `*` at its beginning or end matches any text. */
export function matches(pattern: string, text: string): boolean {
  const open = pattern.startsWith('*');
  const rest = open ? pattern.slice(1) : pattern;
  if (rest.endsWith('*')) {
    const part = rest.slice(0, -1);
    return open ? text.includes(part) : text.startsWith(part);
  }
  return open ? text.endsWith(rest) : text === rest;
}

/** True when one of the patterns matches, or when the list is empty. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, text));
}
