import type { StringStream } from '@codemirror/language';

/** Part of a template that goes on behind the end of a line. */
export interface TemplateState {
  /** Inside of a text between three quotes. */
  isRaw: boolean;
}

const keywords = new Set(['and', 'else', 'from', 'if', 'import', 'let', 'map', 'match', 'or']);
const constants = new Set(['false', 'null', 'true']);
const subjects = new Set(['root', 'this']);

/** Names the style of the next token of a template of the mapping language; null for what has none. */
export function mappingToken(stream: StringStream, state: TemplateState): string | null {
  if (state.isRaw) return readRaw(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('"""')) {
    state.isRaw = true;
    return readRaw(stream, state);
  }
  if (stream.match(/^#.*/)) return 'comment';
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number';
  if (stream.match(/^[$@]\w*/)) return 'variableName';
  if (stream.match(/^\.[A-Za-z_]\w*(?=\()/)) return 'function';
  if (stream.match(/^\.(?:\w+|"(?:[^"\\]|\\.)*")/)) return 'propertyName';
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) return wordStyle(word[0], stream.peek() === '(');
  if (stream.match(/^(?:->|=>|[=!<>]=|&&|\|\||[-+*/%=<>!|])/)) return 'operator';
  stream.next();
  return null;
}

function readRaw(stream: StringStream, state: TemplateState): string {
  if (stream.skipTo('"""')) {
    stream.match('"""');
    state.isRaw = false;
  } else stream.skipToEnd();
  return 'string';
}

function wordStyle(word: string, isCall: boolean): string | null {
  if (subjects.has(word)) return 'self';
  if (keywords.has(word)) return 'keyword';
  if (constants.has(word)) return 'bool';
  return isCall ? 'function' : null;
}
