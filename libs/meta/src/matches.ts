/** True when a text is the pattern; a `*` at its beginning or end stands for anything. */
export function matches(pattern: string, text: string): boolean {
  const open = pattern.startsWith('*');
  const rest = open ? pattern.slice(1) : pattern;
  if (rest.endsWith('*')) {
    const part = rest.slice(0, -1);
    return open ? text.includes(part) : text.startsWith(part);
  }
  return open ? text.endsWith(rest) : text === rest;
}

/** True when one of the patterns fits, or when there are none. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, text));
}
