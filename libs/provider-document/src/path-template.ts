import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import { textOf } from './evaluate.js';
import type { CompiledQuery, DocumentReader, Path } from './document-reader.js';
import type { VisibleNames } from './visible-names.js';

/** A value cannot be part of an address, such as an id that is missing. */
export class UnusablePathValue extends ApiError {
  constructor(text: string) {
    super(400, `"${text.slice(0, 100)}" cannot stand in an address of the provider`, {
      remediation: 'Use an id as the provider gives it.',
    });
    this.name = 'UnusablePathValue';
  }
}

/** Writes a path below the base URL with the values of its queries. */
export type PathTemplate = (evaluate: (query: CompiledQuery) => Value) => string;

/** Writes a text with the values of its queries. */
export type TextTemplate = (evaluate: (query: CompiledQuery) => Value) => string;

/** Reads a text such as `{this.config.header_name | "x-key"}`. Errors go to the reader. */
export function readText(reader: DocumentReader, place: Path, names: VisibleNames): TextTemplate {
  const parts = reader.textParts(place, names) ?? [];
  return (evaluate) =>
    parts
      .map(({ literal, query }) =>
        query === undefined ? literal : literal + (textOf(evaluate(query)) ?? ''),
      )
      .join('');
}

/** Reads a path such as `/issues/{this.path.ticketId}`. Errors go to the reader. */
export function readPath(reader: DocumentReader, place: Path, names: VisibleNames): PathTemplate {
  const parts = reader.textParts(place, names) ?? [];
  return (evaluate) =>
    parts
      .map(({ literal, query, isMarked = false }) =>
        query === undefined ? literal : literal + writeSegment(evaluate(query), isMarked),
      )
      .join('');
}

/** Writes a value in a path: as one segment, or as a path of several. Values that would lead out of the document's path are refused. */
function writeSegment(value: Value, isPath: boolean): string {
  const text = textOf(value) ?? '';
  const pieces = isPath ? text.split('/') : [text];
  // Keys of objects may have empty segments, such as a//b.
  if (text === '' || pieces.some((piece) => piece === '.' || piece === '..'))
    throw new UnusablePathValue(text);
  return pieces.map(encodeURIComponent).join('/');
}
