import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { ChooseIntegration } from '../../parts/choose-integration.js';
import { type ApiDocument, type Declared, useApiDocument } from '../../api/api-documents.js';
import { RequestPanel } from './request-panel.js';
import { SavedRequests } from './save-request.js';
import { savedRequests } from './saved-requests.js';
import type { Target } from './target.js';

/** Calls any operation: those of the connector API by an integration, those of the management API by the session. */
export function ExplorerScreen() {
  const { search } = place.value;
  const chosen = search.get('integration') ?? '';
  return (
    <>
      <h1 tabIndex={-1}>Explorer</h1>
      {chosen === '' && (
        <p class="lead">
          Send any request of the API, look at its answer, and take the command with you.
        </p>
      )}
      <ChooseIntegration
        chosen={chosen}
        cleared={['operation', 'second', 'saved']}
        first={[{ value: 'management', label: 'Management API, by your own token' }]}
      />
      {chosen === '' && (
        <p class="empty card">
          Choose an integration to read a customer’s system through it, or the management API.
        </p>
      )}
      {chosen === 'management' && <OfManagement />}
      {chosen !== '' && chosen !== 'management' && <OfIntegration key={chosen} address={chosen} />}
    </>
  );
}

function OfManagement() {
  const { read, api } = useApiDocument('meta_management_openapi_spec');
  const served = [...(api?.operations.values() ?? [])].filter(({ state }) => state === 'served');
  return (
    <Loaded of={read} lines={10}>
      {() =>
        api && <Operations api={api} listed={served} unsupported={new Set()} target={undefined} />
      }
    </Loaded>
  );
}

/** The operations that the provider of an integration supports; the others are shown as what they are. */
function OfIntegration({ address }: { address: string }) {
  const [accountId = '', integrationId = ''] = address.split('/');
  const path = { accountId, integrationId };
  const integration = useRead('integrations_get', { path });
  const account = useRead('accounts_get', { path: { accountId } });
  return (
    <Loaded of={integration} lines={10}>
      {({ result }) => (
        <OfProvider
          target={{
            path,
            name: result.fullname,
            domain: result.category,
            environment: account.data?.result.environment,
          }}
          providerId={result.provider_type}
        />
      )}
    </Loaded>
  );
}

interface OfProviderProps {
  target: Target;
  providerId: string;
}

function OfProvider({ target, providerId }: OfProviderProps) {
  const input = { path: { providerId }, query: { expand: 'operations' } };
  const capabilities = useRead('capabilities_get_provider', input);
  const { read, api } = useApiDocument('meta_engine_openapi_spec');
  return (
    <Loaded of={capabilities} lines={10}>
      {({ result }) => (
        <Loaded of={read} lines={10}>
          {() =>
            api && <OfCapabilities target={target} api={api} operations={result.operations ?? []} />
          }
        </Loaded>
      )}
    </Loaded>
  );
}

type ProviderOperation = NonNullable<
  Result<'capabilities_get_provider'>['result']['operations']
>[number];

interface OfCapabilitiesProps {
  target: Target;
  api: ApiDocument;
  operations: readonly ProviderOperation[];
}

function OfCapabilities({ target, api, operations }: OfCapabilitiesProps) {
  const listed = operations.flatMap(({ id }) => api.operations.get(id) ?? []);
  const unsupported = new Set(operations.filter((one) => !one.supported).map(({ id }) => id));
  const id = place.value.search.get('operation');
  const offered = operations.find((one) => one.id === id);
  return (
    <Operations
      api={api}
      listed={listed}
      unsupported={unsupported}
      target={{ ...target, ...(offered ? { offered } : {}) }}
    />
  );
}

interface OperationsProps {
  api: ApiDocument;
  listed: readonly Declared[];
  unsupported: ReadonlySet<string>;
  /** The integration; undefined for the management API. */
  target: Target | undefined;
}

function Operations({ api, listed, unsupported, target }: OperationsProps) {
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
    <div class="explorer">
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
          saved={saved}
        />
      )}
    </div>
  );
}
