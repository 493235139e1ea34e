import { simpleEscapes } from '../../language/parse-literal.js';
import { RunError } from '../../language/run-error.js';

const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
export function decodeUri(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new RunError(`invalid URL escape in ${JSON.stringify(value.slice(0, 60))}`);
  }
}

/** In quotes, with Go's escapes. */
export function goQuote(value: string): string {
  return JSON.stringify(value)
    .replace(/\\u00(0[7b])/g, (_all, code: string) => (code === '07' ? '\\a' : '\\v'))
    .replace(/\\u00([01][\da-f])/g, '\\x$1');
}

export function goUnquote(value: string): string {
  if (!/^"(?:[^"\\\n]|\\.)*"$/.test(value))
    throw new RunError('invalid syntax: the text is not quoted');
  return value
    .slice(1, -1)
    .replace(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/g,
      (_all, x?: string, u?: string, big?: string, octal?: string, single?: string) => {
        const hex = x ?? u ?? big;
        if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        const found = single === "'" ? undefined : simpleEscapes[single as string];
        if (found === undefined) throw new RunError('invalid syntax: unknown escape');
        return found;
      },
    );
}

export function escapeHtml(value: string): string {
  return value.replace(/[&<>'"]/g, (char) => htmlEscapes[char] as string);
}
