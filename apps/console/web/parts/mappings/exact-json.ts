/** Begins the strings that stand for numbers. The API refuses this character, so no string of a record has it. */
const mark = '\u0000';

/** Parses JSON, and keeps numbers as they are written; `JSON.parse` would round those beyond 2^53. Print the result by {@link printExact}. */
export function parseExact(text: string): unknown {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) =>
    part.startsWith('"') ? part : JSON.stringify(mark + part),
  );
  return JSON.parse(marked);
}

export function printExact(value: unknown, indent = 2): string {
  return (JSON.stringify(value, null, indent) ?? '').replaceAll(/"\\u0000([^"]*)"/g, '$1');
}

/** The value with its numbers as those of the language; for values whose numbers are small, such as places in a text. */
export function asPlain<Value>(value: Value): Value {
  return JSON.parse(printExact(value)) as Value;
}
