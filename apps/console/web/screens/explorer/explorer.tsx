import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place } from '../../location.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { ChooseIntegration } from '../../parts/choose-integration.js';
import { type ApiDocument, useApiDocument } from '../../api/api-documents.js';
import { ChooseSecond } from './choose-second.js';
import { isWrite } from './is-write.js';
import { Operations } from './operations.js';
import { pathOf, type Target } from './target.js';

const managementApi = 'Management API, by your own token';

/** Calls any operation: those of the connector API by an integration, those of the management API by the session. */
export function ExplorerScreen() {
  const { search } = place.value;
  const chosen = search.get('integration') ?? '';
  const isIntegration = chosen !== '' && chosen !== 'management';
  const isComparing = search.get('view') === 'compare';
  return (
    <>
      <div class="headed">
        <h1 tabIndex={-1}>Explorer</h1>
        <Tabs isComparing={isComparing} />
      </div>
      {chosen === '' && (
        <p class="lead">
          {isComparing
            ? 'Send the same request to two systems of a domain, and compare what both answer field by field.'
            : 'Send any request of the API, look at its answer, and take the command with you.'}
        </p>
      )}
      <div class="choosing">
        <ChooseIntegration
          label={isComparing ? 'First integration' : 'Integration'}
          chosen={isComparing && chosen === 'management' ? '' : chosen}
          cleared={['operation', 'second', 'saved']}
          first={isComparing ? [] : [{ value: 'management', label: managementApi }]}
        />
        {isComparing && isIntegration && <ChooseSecond key={chosen} address={chosen} />}
      </div>
      {!isIntegration && !(chosen === 'management' && !isComparing) && (
        <p class="empty card">
          {isComparing
            ? 'Choose the first of the two integrations.'
            : 'Choose an integration to read a customer’s system through it, or the management API.'}
        </p>
      )}
      {chosen === 'management' && !isComparing && <OfManagement />}
      {isIntegration && <OfIntegration key={chosen} address={chosen} isComparing={isComparing} />}
    </>
  );
}

/** Links to the two uses of the explorer; what is chosen and typed stays. */
function Tabs({ isComparing }: { isComparing: boolean }) {
  const { path, search } = place.value;
  const addressOf = (view: string) => {
    const parameters = new URLSearchParams(search);
    parameters.delete('view');
    if (view !== '') parameters.set('view', view);
    return `${path}?${parameters.toString()}`;
  };
  return (
    <nav class="tabs" aria-label="Tabs of the explorer">
      <Link to={addressOf('')} aria-current={isComparing ? undefined : 'page'}>
        One system
      </Link>
      <Link to={addressOf('compare')} aria-current={isComparing ? 'page' : undefined}>
        Compare two systems
      </Link>
    </nav>
  );
}

function OfManagement() {
  const { read, api } = useApiDocument('meta_management_openapi_spec');
  const served = [...(api?.operations.values() ?? [])].filter(({ state }) => state === 'served');
  return (
    <Loaded of={read} lines={10}>
      {() =>
        api && (
          <Operations
            api={api}
            listed={served}
            unsupported={new Set()}
            target={undefined}
            isComparing={false}
          />
        )
      }
    </Loaded>
  );
}

/** The operations that the provider of an integration supports; the others are shown as what they are. */
function OfIntegration({ address, isComparing }: { address: string; isComparing: boolean }) {
  const path = pathOf(address);
  const { accountId } = path;
  const integration = useRead('integrations_get', { path: { ...path } });
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
          isComparing={isComparing}
        />
      )}
    </Loaded>
  );
}

interface OfProviderProps {
  target: Target;
  providerId: string;
  isComparing: boolean;
}

function OfProvider({ target, providerId, isComparing }: OfProviderProps) {
  const input = { path: { providerId }, query: { expand: 'operations' } };
  const capabilities = useRead('capabilities_get_provider', input);
  const { read, api } = useApiDocument('meta_engine_openapi_spec');
  return (
    <Loaded of={capabilities} lines={10}>
      {({ result }) => (
        <Loaded of={read} lines={10}>
          {() =>
            api && (
              <OfCapabilities
                target={target}
                api={api}
                operations={result.operations ?? []}
                isComparing={isComparing}
              />
            )
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
  isComparing: boolean;
  target: Target;
  api: ApiDocument;
  operations: readonly ProviderOperation[];
}

function OfCapabilities({ target, api, operations, isComparing }: OfCapabilitiesProps) {
  const declared = operations.flatMap(({ id }) => api.operations.get(id) ?? []);
  // Requests that change something are not sent twice.
  const listed = isComparing ? declared.filter((one) => !isWrite(one)) : declared;
  const unsupported = new Set(operations.filter((one) => !one.supported).map(({ id }) => id));
  const id = place.value.search.get('operation');
  const offered = operations.find((one) => one.id === id);
  return (
    <Operations
      api={api}
      listed={listed}
      unsupported={unsupported}
      target={{ ...target, ...(offered ? { offered } : {}) }}
      isComparing={isComparing}
    />
  );
}
