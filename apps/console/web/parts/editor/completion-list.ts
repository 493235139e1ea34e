import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  type Completion as Option,
  type CompletionContext,
  type CompletionResult,
  moveCompletionSelection,
  pickedCompletion,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import type { Complete, Completion } from '../completion.js';

/** The list of what may stand at the cursor. */
export interface CompletionList {
  extension: Extension;
  /** Replaces what finds the names. Somebody who has typed before they were loaded gets the list then. */
  use: (complete: Complete, view: EditorView) => void;
}

interface Offered extends Option {
  /** Takes the place of the typed characters. */
  text: string;
}

/** Shows what `complete` finds while somebody types, and by Ctrl-Space. Enter and Tab take the marked one, Escape closes the list. */
export function completionList(complete: Complete): CompletionList {
  let current = complete;
  /** Where the name begins that the list is for. */
  let begin = 0;
  /** Whether the last thing that somebody did asks for the list. */
  let isAsked = false;
  const find = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const found = current(state.doc.toString(), pos);
    if (found === undefined || found.options.length === 0) return null;
    begin = found.from;
    return {
      from: begin,
      options: found.options.map(asOption),
      filter: false,
      // With the key, so that Enter behind it takes a name: a list that is asked for again is closed to keys meanwhile.
      update: (_result, _from, _to, context) => find(context),
    };
  };
  const take: Command = (view) => {
    const option = selectedCompletion(view.state) as Offered | null;
    if (option?.text !== view.state.sliceDoc(begin, view.state.selection.main.head))
      return acceptCompletion(view);
    closeCompletion(view);
    return false; // the whole name is there, so that the key does what it does elsewhere
  };
  const keys = [
    { key: 'Ctrl-Space', run: startCompletion },
    { key: 'Escape', run: closeCompletion },
    { key: 'ArrowDown', run: moveCompletionSelection(true) },
    { key: 'ArrowUp', run: moveCompletionSelection(false) },
    { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
    { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
    { key: 'Enter', run: take },
    { key: 'Tab', run: take },
  ];
  return {
    extension: [
      autocompletion({
        override: [find],
        defaultKeymap: false,
        icons: false,
        maxRenderedOptions: 300, // all methods and functions, so that the list can be scrolled
        activateOnTypingDelay: 0, // names are found in a moment, and Enter must not come before them
        interactionDelay: 0, // or fast typists break the line by Enter where they mean the marked name
      }),
      Prec.highest(keymap.of(keys)),
      EditorView.updateListener.of(({ view, transactions, docChanged, selectionSet }) => {
        // A list that scrolls has to be reachable by keys.
        view.dom.querySelector('[role=listbox]')?.setAttribute('tabindex', '0');
        if (transactions.some((one) => one.isUserEvent('input.type'))) isAsked = true;
        else if (docChanged || selectionSet) isAsked = false;
      }),
    ],
    use: (wanted, view) => {
      if (wanted === current) return;
      current = wanted;
      // As by a key, which renews the list at once: one that is started anew is closed to Enter for 50 ms.
      if (isAsked && view.hasFocus) view.dispatch({ userEvent: 'input.type' });
    },
  };
}

function asOption(one: Completion): Offered {
  const text = one.inserted ?? one.name;
  const cursor = one.cursor ?? text.length;
  return {
    label: one.name,
    text,
    detail: ` ${one.detail}`, // names of options are read without the space between elements
    ...(one.description === undefined ? {} : { info: () => describe(one) }),
    apply: (view, option, from, to) => {
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + cursor },
        annotations: pickedCompletion.of(option),
        userEvent: 'input.complete',
      });
    },
  };
}

function describe({ description = '', example }: Completion): Node {
  const about = document.createElement('div');
  const paragraph = document.createElement('p');
  paragraph.textContent = description;
  about.append(paragraph);
  if (example === undefined) return about;
  const code = document.createElement('pre');
  code.textContent = example;
  about.append(code);
  return about;
}
