import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colors = HighlightStyle.define([
  { tag: tags.atom, color: 'var(--code-key)' },
  { tag: tags.bool, color: 'var(--code-value)' },
  { tag: tags.number, color: 'var(--code-value)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--code-word)', fontWeight: '600' },
  { tag: tags.self, color: 'var(--code-word)' },
  { tag: tags.variableName, color: 'var(--code-value)' },
  { tag: tags.function(tags.name), color: 'var(--code-call)' },
  { tag: tags.meta, color: 'var(--soft)' },
]);

const floating = {
  border: '1px solid var(--line)',
  borderRadius: '6px',
  background: 'var(--surface)',
  color: 'var(--text)',
  boxShadow: '0 6px 24px rgb(20 24 40 / 20%)',
};

/** Looks of the editor, by the design tokens of the page: custom properties reach into the shadow root. */
export const theme: Extension = [
  syntaxHighlighting(colors),
  EditorView.theme({
    '&': {
      height: 'var(--height, 480px)',
      color: 'var(--text)',
      background: 'var(--surface)',
      borderRadius: '6px',
    },
    '&.cm-focused': { outline: 'none' }, // its host has the outline
    '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '13px', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--text)' },
    '.cm-gutters': {
      background: 'var(--sunken)',
      color: 'var(--soft)',
      border: 'none',
      borderRadius: '6px 0 0 6px',
    },
    '.cm-foldPlaceholder': {
      border: '1px solid var(--line)',
      background: 'var(--sunken)',
      color: 'var(--soft)',
    },
    '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-wash)' },
    '.cm-tooltip': floating,
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      maxWidth: 'min(460px, 90vw)',
      maxHeight: '190px',
      fontFamily: 'var(--mono)',
      fontSize: '13px',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      background: 'var(--accent-wash)',
      color: 'var(--text)',
    },
    '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
    '.cm-completionInfo': { padding: '8px 12px', fontFamily: 'var(--font)', fontSize: '13px' },
    '@media (max-width: 600px)': { '.cm-tooltip.cm-completionInfo': { display: 'none' } },
    '.cm-completionInfo p': { margin: '0' },
    '.cm-completionInfo pre': { margin: '6px 0 0', whiteSpace: 'pre-wrap' },
    '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
    '.cm-diagnosticAction': {
      border: '1px solid var(--field-line)',
      background: 'var(--surface)',
      color: 'var(--text)',
      font: 'inherit',
    },
    '.cm-deletedChunk .cm-chunkButtons button': {
      border: '1px solid var(--field-line)',
      background: 'var(--surface)',
      color: 'var(--text)',
      fontFamily: 'var(--font)',
      fontSize: '12px',
      minHeight: '24px',
    },
    '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { background: 'var(--good-wash)' },
    '.cm-deletedChunk, .cm-deletedLine': { background: 'var(--bad-wash)' },
    '&.cm-merge-b .cm-changedText, &.cm-merge-b .cm-deletedText, & .cm-deletedChunk .cm-deletedText':
      { background: 'none', fontWeight: '600' },
    '.cm-changeGutter .cm-changedLineGutter': { background: 'var(--good)' },
    '.cm-changeGutter .cm-deletedLineGutter': { background: 'var(--bad)' },
  }),
];
