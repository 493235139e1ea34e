/** A JSON Pointer (RFC 6901) as its tokens, or undefined when the text is none. */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Tokens as a JSON Pointer. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens
    .map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** True when `pointer` names the place `pattern` names or one below it; `*` in the pattern stands for any token. */
export function isAtOrBelow(pointer: readonly string[], pattern: readonly string[]): boolean {
  return (
    pointer.length >= pattern.length &&
    pattern.every((token, index) => token === '*' || token === pointer[index])
  );
}

/** Every value a pattern with `*` names in a document, with its concrete pointer. */
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
