import { useState } from 'preact/hooks';
import type { ApiDocument, Declared } from '../../api/api-documents.js';
import { place, setSearch } from '../../location.js';
import { Field } from '../../parts/field.js';
import { useSecond } from './choose-second.js';
import { RequestPanel } from './request-panel.js';
import { SavedRequests } from './save-request.js';
import { savedRequests } from './saved-requests.js';
import type { Target } from './target.js';

interface Props {
  api: ApiDocument;
  listed: readonly Declared[];
  unsupported: ReadonlySet<string>;
  /** The integration; undefined for the management API. */
  target: Target | undefined;
  isComparing: boolean;
}

/** The operations that can be sent, and the request of the chosen one. */
export function Operations({ api, listed, unsupported, target, isComparing }: Props) {
  const second = useSecond(isComparing ? target : undefined);
  const [text, setText] = useState('');
  const id = place.value.search.get('operation') ?? '';
  const chosen = listed.find((one) => one.id === id);
  const savedId = place.value.search.get('saved');
  const saved = savedRequests.value.find((one) => one.id === savedId && one.operation === id);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = listed.filter((one) =>
    words.every((word) => `${one.id} ${one.summary} ${one.method}`.toLowerCase().includes(word)),
  );
  const sorted = shown.toSorted(
    (one, other) => Number(unsupported.has(one.id)) - Number(unsupported.has(other.id)),
  );
  return (
    <div class={chosen === undefined ? 'explorer' : 'explorer sending'}>
      <section class="card" aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        <SavedRequests operations={new Set(listed.map((one) => one.id))} />
        <Field label="Find" type="search" value={text} onInput={setText} />
        <ul class="operations" tabIndex={-1}>
          {sorted.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                class="quiet"
                aria-pressed={one.id === id}
                onClick={() => setSearch({ operation: one.id, saved: '' })}
              >
                <span>{one.summary}</span>
                <small>
                  {one.method}
                  {target === undefined && ` · ${one.group}`}
                  {unsupported.has(one.id) && ' · not supported by the provider'}
                </small>
              </button>
            </li>
          ))}
          {shown.length === 0 && <li class="empty">No operation has these words.</li>}
        </ul>
      </section>
      {chosen === undefined ? (
        <p class="empty card">Choose an operation.</p>
      ) : (
        <RequestPanel
          key={`${chosen.id} ${savedId ?? ''}`}
          operation={chosen}
          api={api}
          target={target}
          comparison={isComparing ? { second } : undefined}
          saved={saved}
        />
      )}
    </div>
  );
}
