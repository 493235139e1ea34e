import {
  defaultKeymap,
  history,
  historyKeymap,
  insertNewlineAndIndent,
} from '@codemirror/commands';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentUnit,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { Complete } from '../completion.js';
import type { Mark } from '../found-fault.js';
import type { Replacement } from '../quick-fix.js';
import { completionList } from './completion-list.js';
import { theme } from './theme.js';
import { yamlWithTemplates } from './yaml-with-templates.js';

export interface EditorOptions {
  /** Element without content, whose shadow root gets the editor. */
  host: HTMLElement;
  label: string;
  text: string;
  complete: Complete;
  /** Texts beyond this number of characters are not taken from the clipboard. */
  maxPasted: number;
  onInput: (text: string) => void;
  /** A text was not taken from the clipboard, because it has so many characters. */
  onRefused: (length: number) => void;
}

/** An editor of YAML with templates of the mapping language. */
export interface Editor {
  setText: (text: string) => void;
  setComplete: (complete: Complete) => void;
  mark: (faults: readonly Mark[]) => void;
  /** Marks the field as one whose content was refused. */
  setInvalid: (isInvalid: boolean) => void;
  /** Shows what differs from a text, in the lines; undefined for nothing. */
  compareWith: (text: string | undefined) => Promise<void>;
  /** Puts the cursor at a place of the text, and scrolls there. */
  show: (offset: number) => void;
  replace: (replacement: Replacement) => void;
  /** Elements outside of the shadow root that describe the field. */
  describeBy: (elements: readonly Element[]) => void;
  destroy: () => void;
}

/**
 * Creates an editor in a shadow root: there it may use constructed style sheets, while in the document it would write a `<style>`, which
 * the policy of the page refuses.
 */
export function createEditor(options: EditorOptions): Editor {
  const { host, label, complete, maxPasted, onInput, onRefused } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const list = completionList(complete);
  /** Whether the page changes the text, and not somebody who types. */
  let isSetting = false;
  const comparison = new Compartment();
  const validity = new Compartment();
  const refuse = (event: Event, from: DataTransfer | null) => {
    const { length } = from?.getData('text') ?? '';
    if (length <= maxPasted) return false;
    event.preventDefault();
    onRefused(length);
    return true;
  };
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      EditorState.phrases.of({ Completions: 'What may stand here' }),
      indentUnit.of('  '),
      history(),
      lintGutter(),
      lineNumbers(),
      codeFolding(),
      foldGutter(),
      bracketMatching(),
      yamlWithTemplates,
      list.extension,
      comparison.of([]),
      validity.of([]),
      keymap.of([
        { key: 'Enter', run: insertNewlineAndIndent },
        { key: 'F8', run: nextDiagnostic },
        ...defaultKeymap,
        ...historyKeymap,
        ...foldKeymap,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.domEventHandlers({
        paste: (event) => refuse(event, event.clipboardData),
        drop: (event) => refuse(event, event.dataTransfer),
        beforeinput: insertLines,
      }),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged && !isSetting) onInput(doc.toString());
      }),
      theme,
    ],
  });
  const view = new EditorView({ state, root, parent: root });
  return {
    setText: (text) => {
      const { doc } = view.state;
      if (doc.toString() === text) return;
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
      isSetting = false;
    },
    setComplete: (wanted) => list.use(wanted, view),
    mark: (faults) => view.dispatch(setDiagnostics(view.state, faults.map(diagnosticOf))),
    setInvalid: (isInvalid) =>
      view.dispatch({
        effects: validity.reconfigure(
          isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : [],
        ),
      }),
    compareWith: async (text) => {
      const extension = text === undefined ? [] : await changesTo(text);
      view.dispatch({ effects: comparison.reconfigure(extension) });
    },
    show: (offset) => {
      view.dispatch({
        selection: { anchor: Math.min(offset, view.state.doc.length) },
        scrollIntoView: true,
      });
      view.focus();
    },
    replace: (replacement) => replaceIn(view, replacement),
    describeBy: (elements) => {
      view.contentDOM.ariaDescribedByElements = [...elements];
    },
    destroy: () => view.destroy(),
  };
}

/** Changes to a text, in the lines; each can be taken back. Few people ask for them, so what finds them is loaded then. */
async function changesTo(original: string) {
  const { unifiedMergeView } = await import('@codemirror/merge');
  return unifiedMergeView({
    original,
    mergeControls: (type, action) => {
      const button = document.createElement('button');
      button.hidden = type === 'accept'; // the stored text changes only when it is saved
      button.textContent = 'Undo this change';
      button.addEventListener('click', action);
      return button;
    },
  });
}

/** Inserts a text of several lines, or in place of some: the browser would style what it joins inline, which the policy of the page refuses. */
function insertLines(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event;
  const { state } = view;
  const { from, to } = replacedBy(event, view);
  if (inputType !== 'insertText' || data === null) return false;
  if (!`${data}${state.sliceDoc(from, to)}`.includes('\n')) return false;
  event.preventDefault();
  const userEvent = data.length === 1 ? 'input.type' : 'input.paste';
  const selection = { anchor: from + data.length };
  view.dispatch({
    changes: { from, to, insert: data },
    selection,
    userEvent,
    scrollIntoView: true,
  });
  return true;
}

/** Finds what an input replaces: the browser may have selected it since the state was told. */
function replacedBy(event: InputEvent, view: EditorView): { from: number; to: number } {
  const [range] = event.getTargetRanges();
  const { contentDOM, state } = view;
  const isWithin = (node: Node) => contentDOM.contains(node);
  if (!range || !isWithin(range.startContainer) || !isWithin(range.endContainer))
    return state.selection.main;
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}

function diagnosticOf({ from, to, message, fix }: Mark): Diagnostic {
  // Typing above it has moved the fault since it was found.
  const apply = (view: EditorView, now: number) => {
    if (fix) replaceIn(view, { ...fix, from: fix.from + now - from, to: fix.to + now - from });
  };
  const actions = fix === undefined ? [] : [{ name: `Replace by ${fix.text}`, apply }];
  return { from, to, severity: 'error', message, actions };
}

function replaceIn(view: EditorView, { from, to, text }: Replacement): void {
  view.dispatch({ changes: { from, to, insert: text }, userEvent: 'input.fix' });
  view.focus();
}
