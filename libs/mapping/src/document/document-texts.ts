import type { Expression } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { expressionsOf } from '../language/walk.js';
import type { TextInDocument } from './describe-failure-of-text.js';
import { type DocumentParts, type Embedded, readDocument } from './read-document.js';

/** Lists the templates, transforms and conditions of a mapping document that compiles, for `lintText`. */
export function textsOfDocument(document: string | Embedded): TextInDocument[] {
  return textsOf(readDocument(document));
}

export function textsOf({ templates, dataTypes, select }: DocumentParts): TextInDocument[] {
  const transforms = [...dataTypes.values()].flatMap(({ transform }) => transform ?? []);
  return [
    ...[...templates.values(), ...transforms].map((located) => ({
      located,
      isQuery: false,
      isOfMapping: true,
    })),
    ...select.map(({ match }) => ({ located: match, isQuery: true, isOfMapping: true })),
  ];
}

/** Lists the expressions of a text: those of its statements and maps, or itself. */
export function expressionsIn({ located: { text }, isQuery }: TextInDocument): Expression[] {
  if (isQuery) return [parseQuery(text)];
  const { statements, maps } = parseTemplate(text);
  return [statements, ...maps.values()].flatMap(expressionsOf);
}

/** A template alone, as the only one of a document. */
export function partsOfTemplate(source: string): DocumentParts {
  const located = { text: source, locate: (line: number, column: number) => ({ line, column }) };
  return {
    templates: new Map([['default', located]]),
    defaultName: 'default',
    select: [],
    pre: [],
    post: [],
    dataTypes: new Map(),
  };
}
