/** Instructions of a character class by its name, which is a table of ranges. */
const namedClass = 20;

/**
 * About how many instructions a regular expression compiles to, before it is compiled: counted repetitions write out what they
 * repeat, so that twenty characters can be a million instructions.
 */
export function patternSize(pattern: string): number {
  const groups: number[] = [];
  let [size, last] = [0, 0];
  for (let at = 0; at < pattern.length;) {
    const [token = ''] = tokens(pattern, at);
    at += token.length;
    const first = token.charAt(0);
    if (first === '(') {
      groups.push(size);
      [size, last] = [2, 2];
    } else if (first === ')') {
      last = size;
      size += groups.pop() ?? 0;
    } else if (first === '{' && token.length > 1) {
      const [low = 0, high = low] = token.match(/\d+/g)?.map(Number) ?? [];
      const more = last * (Math.max(low, high, 1) - 1);
      size += more;
      last += more;
    } else {
      last = /^(?:\\p|\[.*\\p|\[.*\[:)/is.test(token) ? namedClass : 1;
      size += last;
    }
  }
  return groups.reduce((sum, outer) => sum + outer, size) + 2;
}

const token =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\[pP]?.|\[\^?\]?(?:\\.|\[:\w*:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./suy;

function tokens(pattern: string, at: number): RegExpExecArray {
  token.lastIndex = at;
  return token.exec(pattern) as RegExpExecArray;
}
