import { ApiError } from '#contract';
import type { Value } from '#mapping';
import { textOf } from './evaluate.js';
import type { CompiledQuery, DocumentReader, Path } from './document-reader.js';
import type { VisibleNames } from './visible-names.js';

interface Part {
  literal: string;
  query?: CompiledQuery;
  /** `{+query}`: the value may have several segments. */
  segments?: boolean;
}

/** Writes a path below the base URL with the values of its queries. */
export type PathTemplate = (evaluate: (query: CompiledQuery) => Value) => string;

/** Reads a path such as `/issues/{this.path.ticketId}`. Errors go to the reader. */
export function readPath(
  reader: DocumentReader,
  place: Path,
  text: string,
  names: VisibleNames,
): PathTemplate {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) {
      reader.fault(place, `the path has a { without a }`);
      break;
    }
    const segments = text[open + 1] === '+';
    const start = open + (segments ? 2 : 1);
    const query = reader.queryWithin(place, text.slice(start, close), start, names);
    parts.push({ literal: text.slice(at, open), segments, ...(query ? { query } : {}) });
    at = close + 1;
  }
  const rest = text.slice(at);
  return (evaluate) =>
    parts
      .map(({ literal, query, segments = false }) =>
        query === undefined ? literal : literal + writeSegment(evaluate(query), segments),
      )
      .join('') + rest;
}

/** Writes a value in a path. Values that would lead out of the document's path are refused. */
function writeSegment(value: Value, segments: boolean): string {
  const text = textOf(value) ?? '';
  const pieces = segments ? text.split('/') : [text];
  if (pieces.some((piece) => piece === '' || piece === '.' || piece === '..'))
    throw new ApiError(400, `"${text.slice(0, 100)}" cannot stand in an address of the provider`, {
      remediation: 'Use an id as the provider gives it.',
    });
  return pieces.map(encodeURIComponent).join('/');
}
