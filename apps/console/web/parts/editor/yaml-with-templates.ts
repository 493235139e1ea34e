import {
  foldService,
  indentService,
  StreamLanguage,
  type StreamParser,
  type StringStream,
} from '@codemirror/language';
import { yaml } from '@codemirror/legacy-modes/mode/yaml';
import type { EditorState, Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { mappingToken, type TemplateState } from './mapping-tokens.js';

/** State of the parser of YAML, as far as blocks of text need it. */
interface YamlState {
  /** Whether a block of text has begun. */
  literal: boolean;
  keyCol: number;
}

interface State extends TemplateState {
  yaml: YamlState;
  /** Whether the block of text is a template; undefined before its first line. */
  isTemplate: boolean | undefined;
}

/** The first line of a template, as opposed to that of a description. */
const templateBegins = /^\s*(?:#|root\b|this\b|(?:let|map|if|match|import)\s)/;

/** YAML whose blocks of text are templates of the mapping language where they begin as one. */
const parser: StreamParser<State> = {
  name: 'yaml',
  languageData: { commentTokens: { line: '#' } },
  tokenTable: { function: tags.function(tags.name), self: tags.self },
  startState: (unit) => ({
    yaml: yaml.startState?.(unit) as YamlState,
    isTemplate: undefined,
    isRaw: false,
  }),
  copyState: (state) => ({ ...state, yaml: { ...state.yaml } }),
  token: (stream, state) => {
    if (state.yaml.literal && (state.isRaw || isInBlock(stream, state)))
      return blockToken(stream, state);
    const style = yaml.token(stream, state.yaml);
    if (state.yaml.literal) state.isTemplate = undefined;
    return style;
  },
};

function isInBlock(stream: StringStream, { yaml: { keyCol } }: State): boolean {
  return stream.indentation() > keyCol || /^\s*$/.test(stream.string);
}

function blockToken(stream: StringStream, state: State): string | null {
  state.isTemplate ??= templateBegins.test(stream.string);
  if (state.isTemplate) return mappingToken(stream, state);
  stream.skipToEnd();
  return 'string';
}

const isBlank = (text: string) => text.trim() === '';
const indentOf = (text: string) => text.search(/\S|$/);

/** Finds the lines below a line that are indented more than it. */
function foldedBelow(state: EditorState, start: number, end: number) {
  const first = state.doc.lineAt(start);
  if (isBlank(first.text)) return null;
  let last = end;
  for (let number = first.number + 1; number <= state.doc.lines; number += 1) {
    const { text, to } = state.doc.line(number);
    if (isBlank(text)) continue;
    if (indentOf(text) <= indentOf(first.text)) break;
    last = to;
  }
  return last === end ? null : { from: end, to: last };
}

/** Language of mapping documents and provider documents: colours, folding and the indentation of a new line. */
export const yamlWithTemplates: Extension = [
  StreamLanguage.define(parser),
  foldService.of(foldedBelow),
  indentService.of((context, place) => {
    const { text } = context.lineAt(place, -1);
    return (
      indentOf(text) + (/(?:^|\s|\w|["']):(?:\s*[|>][-+]?)?\s*$/.test(text) ? context.unit : 0)
    );
  }),
];
