import { findExpressionEnd, MappingError, placeOf } from '@onefold/mapping';

/** A piece of a text: its literal beginning, and the query in braces behind it. */
export interface TextPiece {
  literal: string;
  /** Absent in the last piece. */
  query?: { text: string; start: number; isMarked: boolean };
}

/**
 * Splits a text at its queries in braces. Each ends where the grammar of queries says, because objects and strings in it may have braces.
 * @param marker text that may stand before a query, such as the + of a path
 * @throws MappingError
 */
export function splitText(text: string, marker?: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
    const isMarked = marker !== undefined && text.startsWith(marker, open + 1);
    const start = open + 1 + (isMarked ? marker.length : 0);
    const end = findExpressionEnd(text, start);
    if (end >= text.length) throw faultAt(text, open, 'the { has no matching }');
    if (text[end] !== '}') throw faultAt(text, end, 'an operator or } is expected here');
    const query = { text: text.slice(start, end), start, isMarked };
    pieces.push({ literal: text.slice(at, open), query });
    at = end + 1;
  }
  return [...pieces, { literal: text.slice(at) }];
}

function faultAt(text: string, offset: number, message: string): MappingError {
  return new MappingError([{ message, ...placeOf(text, offset) }], text);
}
