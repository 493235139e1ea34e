/** Native search takes up to half of the length of a part for each character of the text; longer parts are searched without that. */
const maxNativePart = 64;

/** Finds a part of a text in time that is linear in both, whatever they contain; -1 where there is none. */
export function findText(text: string, part: string, from = 0): number {
  if (part.length <= maxNativePart) return text.indexOf(part, from);
  return new TextSearch(part).find(text, from);
}

/** Returns the texts between the parts, at most `max` of them, like String.split. */
export function splitText(text: string, part: string, max = Infinity): string[] {
  if (part.length <= maxNativePart) return text.split(part, Math.min(max, maxParts));
  const search = new TextSearch(part);
  const pieces: string[] = [];
  let at = 0;
  while (pieces.length < max) {
    const found = search.find(text, at);
    pieces.push(text.slice(at, found < 0 ? text.length : found));
    if (found < 0) break;
    at = found + part.length;
  }
  return pieces;
}

const maxParts = 2 ** 32 - 1;

/** Search for a long part by Knuth, Morris and Pratt, which looks at each character of the text once or twice. */
class TextSearch {
  /** For each length of a match, the length of the longest shorter match that ends there too. */
  private shorter: Int32Array | undefined;

  constructor(private readonly part: string) {}

  find(text: string, from: number): number {
    const { part } = this;
    if (part.length > text.length - from) return -1;
    // Nearly every text ends here: it has not even the beginning, or the whole part where that stands.
    const start = text.indexOf(part.slice(0, maxNativePart), from);
    if (start < 0 || text.startsWith(part, start)) return start;
    const shorter = (this.shorter ??= this.shorterMatches());
    let matched = 0;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = shorter[matched] as number;
      if (part.charCodeAt(matched) === code) matched += 1;
      if (matched === part.length) return at - matched + 1;
    }
    return -1;
  }

  private shorterMatches(): Int32Array {
    const { part } = this;
    const shorter = new Int32Array(part.length + 1);
    let matched = 0;
    for (let at = 1; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = shorter[matched] as number;
      if (part.charCodeAt(matched) === code) matched += 1;
      shorter[at + 1] = matched;
    }
    return shorter;
  }
}
