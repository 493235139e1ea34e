import { Search } from 'lucide';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { go } from '../../location.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { useDelayed } from '../../parts/use-delayed.js';
import { type Entry, useEntries } from './entries.js';

/** Opens by Ctrl-K or Cmd-K, and goes to screens, actions and records by name or by a pasted id, and to requests by theirs. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  // Before the page is shown: keys that are typed at once must not be lost.
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Another dialog keeps the keys: what it asks must be answered first.
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        <Icon of={Search} />
        Go to <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <Choose onClose={() => setOpen(false)} />}
    </>
  );
}

function Choose({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const wanted = useDelayed(text.trim());
  const entries = useEntries(text, wanted);
  const current = Math.min(marked, entries.length - 1);
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    go(entry.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setMarked((current + step + entries.length) % entries.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(entries[current]);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <label>
        <span class="unseen">Screen, action or record, by name or id</span>
        <input
          ref={field}
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Screen, action or record, by name or id"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul class="found" role="listbox" id={`${id}-list`} aria-label="Found">
        {entries.map((entry, index) => (
          <li
            key={`${entry.detail} ${entry.to}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => choose(entry)}
          >
            <bdi>{entry.label}</bdi> <small>{entry.detail}</small>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="hint">Nothing has this name or id.</p>}
    </Dialog>
  );
}
