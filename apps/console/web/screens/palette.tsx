import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';
import { go } from '../location.js';
import { routes } from '../routes.js';
import { Dialog } from '../parts/dialog.js';
import { idOfRequest } from '../parts/request-id.js';
import { useDelayed } from '../parts/use-delayed.js';
import { nameContains } from '../parts/account-names.js';

const maxFound = 8;

interface Entry {
  label: string;
  detail: string;
  to: string;
}

/** Opens by Ctrl-K or Cmd-K, and goes to screens, integrations and accounts by name or by a pasted id, and to requests by theirs. */
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
  const entries = [...requestsFor(text), ...screensFor(text), ...useRecords(wanted)];
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
        <span class="unseen">Screen, integration, account or request, by name or id</span>
        <input
          ref={field}
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Screen, integration, account or request, by name or id"
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
            key={entry.to}
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

function screensFor(text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  return routes
    .filter(({ path, title }) => !path.includes(':') && title.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? Infinity : maxFound)
    .map(({ path, title }) => ({ label: title, detail: 'Screen', to: path }));
}

/** Where the request of a pasted id, or of the `instance` of a problem, may be found. */
function requestsFor(text: string): Entry[] {
  const id = idOfRequest(text);
  if (id === undefined) return [];
  return [
    { label: id, detail: 'Request of a customer’s system', to: `/requests/${id}` },
    { label: id, detail: 'In the audit trail', to: `/audit?what=all&record=${id}` },
  ];
}

/** Integrations and accounts; of a name its parts, of an id the whole. */
function useRecords(wanted: string): Entry[] {
  const integrations = useFound('integrations_list', wanted, 'int_');
  const accounts = useFound('accounts_list', wanted, 'acc_');
  return [
    ...integrations.map((one) => ({
      label: one.fullname,
      detail: `Integration · ${one.provider_fullname ?? one.provider_type ?? ''}`,
      to: `/integrations/${one.account_id}/${one.id}`,
    })),
    ...accounts.map((one) => ({
      label: one.fullname,
      detail: `Account · ${one.name}`,
      to: `/accounts?name=${encodeURIComponent(one.fullname)}`,
    })),
  ];
}

interface Found {
  id: string;
  name: string;
  fullname: string;
  account_id?: string;
  provider_type?: string;
  provider_fullname?: string | null;
}

function useFound(
  operation: 'integrations_list' | 'accounts_list',
  wanted: string,
  prefix: string,
): readonly Found[] {
  const filter = wanted.startsWith(prefix) ? `id[eq]${wanted}` : nameContains(wanted);
  const isAsked = wanted !== '' && mayCall(operation);
  const read = useRead(operation, { query: { limit: maxFound, filter } }, undefined, isAsked);
  return isAsked ? (read.data?.result ?? []) : [];
}
