/**
 * Finds the lines on which values of a JSON text begin.
 * @param text valid JSON
 * @returns the line of each value, from 1, by its JSON pointer
 */
export function findPointerLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const stack: { pointer: string; isArray: boolean; index: number; key: string | undefined }[] = [];
  let line = 1;
  const note = () => {
    const top = stack.at(-1);
    const step = top?.isArray === true ? String(top.index) : (top?.key ?? '');
    const pointer =
      top === undefined ? '' : `${top.pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    lines.set(pointer, line);
    return pointer;
  };
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:\n]|[^\s"{}[\],:]+/g;
  for (const [token] of text.matchAll(tokens)) {
    const top = stack.at(-1);
    switch (token) {
      case '\n':
        line++;
        break;
      case '{':
      case '[':
        stack.push({ pointer: note(), isArray: token === '[', index: 0, key: undefined });
        break;
      case '}':
      case ']':
        stack.pop();
        break;
      case ',':
        if (top?.isArray === true) top.index++;
        else if (top !== undefined) top.key = undefined;
        break;
      case ':':
        break;
      default:
        // A text in an object is a key until it has one.
        if (top !== undefined && !top.isArray && top.key === undefined)
          top.key = JSON.parse(token) as string;
        else note();
    }
  }
  return lines;
}

/** The line of a value, or of the nearest value around it that exists. */
export function lineOf(lines: ReadonlyMap<string, number>, pointer: string): number {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
    if (at === '') return 1;
  }
}
