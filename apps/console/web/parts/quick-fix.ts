import { type Position, placeIn } from './text-place.js';

/** A change of a text: the characters from `from` to `to`, in UTF-16 units, become `text`. */
export interface Replacement {
  from: number;
  to: number;
  text: string;
}

interface Fault {
  message: string;
  hint: string | undefined;
  position: Position;
}

/**
 * Finds the change that a hint of the service proposes: `Did you mean uppercase?` for the name that the message quotes, and
 * `Write .lowercase().` for a method of another language. Undefined for other hints, and where the text has changed since.
 */
export function quickFix(
  text: string,
  { message, hint, position }: Fault,
): Replacement | undefined {
  const { offset } = placeIn(text, position);
  const [, proposed] = /^Did you mean ([^\s?]+)\?$/.exec(hint ?? '') ?? [];
  const [, wrong] = /['"]([^'"]+)['"]/.exec(message) ?? [];
  if (proposed !== undefined && wrong !== undefined) {
    const from = lastPlaceOf(wrong, text, offset);
    return from === undefined ? undefined : { from, to: from + wrong.length, text: proposed };
  }
  const [, call] = /^Write \.(\w+\(\))\.$/.exec(hint ?? '') ?? [];
  const [other] = /\w+$/.exec(text.slice(0, offset)) ?? [];
  if (call === undefined || other === undefined || !text.startsWith('()', offset)) return undefined;
  return { from: offset - other.length, to: offset + 2, text: call };
}

/** The service points at a name, at the sign before it, or at the end of its call. */
function lastPlaceOf(name: string, text: string, offset: number): number | undefined {
  const isPartOfName = (character: string | undefined) => /\w/.test(character ?? '');
  for (
    let at = text.lastIndexOf(name, offset + 1);
    at >= 0;
    at = at === 0 ? -1 : text.lastIndexOf(name, at - 1)
  )
    if (!isPartOfName(text[at - 1]) && !isPartOfName(text[at + name.length])) return at;
  return undefined;
}
