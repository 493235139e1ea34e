/** Parses a JSON Pointer (RFC 6901) to its tokens; undefined if it is invalid. */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Formats tokens as a JSON Pointer. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens
    .map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** True when `pointer` matches `pattern` or is below a match; `*` in the pattern matches any token. */
export function isAtOrBelow(pointer: readonly string[], pattern: readonly string[]): boolean {
  return (
    pointer.length >= pattern.length &&
    pattern.every((token, index) => token === '*' || token === pointer[index])
  );
}

/** Finds every value in a document that a pattern with `*` matches, with its pointer. */
export function valuesAt(
  document: unknown,
  pattern: readonly string[],
  at: readonly string[] = [],
): { pointer: string; value: unknown }[] {
  const [token, ...rest] = pattern;
  if (token === undefined) return [{ pointer: formatPointer(at), value: document }];
  if (typeof document !== 'object' || document === null) return [];
  const keys =
    token === '*' ? Object.keys(document) : Object.hasOwn(document, token) ? [token] : [];
  return keys.flatMap((key) =>
    valuesAt((document as Record<string, unknown>)[key], rest, [...at, key]),
  );
}
