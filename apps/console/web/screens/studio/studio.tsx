import type { OperationId, Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Loaded } from '../../parts/loaded.js';
import { MappingChoice } from '../../parts/mappings/mapping-choice.js';
import { ChooseIntegration } from '../../parts/choose-integration.js';
import { chainOf, type Chains, nameOfMapping } from '../../parts/mappings/chains.js';
import type { Subject } from './subject.js';
import { Workbench } from './workbench.js';

/** Writes mappings of a customer, tries them on a record while they are typed, and attaches them to an integration. */
export function StudioScreen() {
  const chosen = place.value.search.get('integration') ?? '';
  return (
    <div class="studio">
      <h1 tabIndex={-1}>Mapping studio</h1>
      {chosen === '' && (
        <p class="lead">Change what the fields of a customer’s records mean, and see it at once.</p>
      )}
      <ChooseIntegration
        chosen={chosen}
        cleared={chosen === '' ? ['operation'] : ['operation', 'mapping']}
      />
      {chosen === '' ? (
        <p class="empty card">Choose the integration whose records you want to change.</p>
      ) : (
        <OfIntegration key={chosen} address={chosen} />
      )}
    </div>
  );
}

type Integration = Result<'integrations_get'>['result'];

function OfIntegration({ address }: { address: string }) {
  const [accountId = '', integrationId = ''] = address.split('/');
  const read = useRead('integrations_get', { path: { accountId, integrationId } });
  return (
    <Loaded of={read} lines={10}>
      {({ result }) =>
        result.integration_point_id ? (
          <OfPoint integration={result} pointId={result.integration_point_id} />
        ) : (
          <OfProvider integration={result} ofPoint={[]} />
        )
      }
    </Loaded>
  );
}

/** The chains of the point hold where the integration has none, so they have to be known before one is added. */
function OfPoint({ integration, pointId }: { integration: Integration; pointId: string }) {
  const read = useRead('integrationPoints_get', { path: { integrationPointId: pointId } });
  return (
    <Loaded of={read} lines={10}>
      {({ result }) => <OfProvider integration={integration} ofPoint={result.mappings ?? []} />}
    </Loaded>
  );
}

interface OfProviderProps {
  integration: Integration;
  ofPoint: Chains['ofPoint'];
}

function OfProvider({ integration, ofPoint }: OfProviderProps) {
  const { provider_type: providerId } = integration;
  const path = { providerId };
  const capabilities = useRead('capabilities_get_provider', {
    path,
    query: { expand: 'operations' },
  });
  const chains = { own: integration.mappings ?? [], ofPoint, providerId };
  return (
    <Loaded of={capabilities} lines={10}>
      {({ result }) => (
        <OfOperations
          integration={integration}
          chains={chains}
          operations={(result.operations ?? [])
            .filter((one) => one.supported)
            .map(({ id }) => id as OperationId)}
        />
      )}
    </Loaded>
  );
}

interface OfOperationsProps {
  integration: Integration;
  chains: Chains;
  operations: Subject['operations'];
}

function OfOperations({ integration, chains, operations }: OfOperationsProps) {
  const { search } = place.value;
  const operation = operations.find((one) => one === search.get('operation'));
  const mappingId = search.get('mapping') ?? '';
  const path = { accountId: integration.account_id, integrationId: integration.id };
  const subject = operation && { path, chains, operations, operation };
  return (
    <>
      <div class="toolbar">
        <label class="long">
          Operation
          <select
            value={operation ?? ''}
            onChange={(event) => setSearch({ operation: event.currentTarget.value })}
          >
            <option value="">Choose …</option>
            {operations.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <MappingChoice
          label="Mapping"
          chosen={mappingId}
          by="id"
          first={[{ value: '', label: 'A new one' }]}
          onChoose={(mapping) => setSearch({ mapping })}
        />
      </div>
      {subject === undefined && (
        <p class="empty card">Choose the operation that returns the records.</p>
      )}
      {subject && (
        <>
          <p class="hint">
            Runs now:{' '}
            <code>{chainOf(chains, subject.operation).map(nameOfMapping).join(' → ')}</code>
          </p>
          {mappingId === '' ? (
            <Workbench key={`${subject.operation} new`} subject={subject} />
          ) : (
            <OfMapping
              key={`${subject.operation} ${mappingId}`}
              subject={subject}
              mappingId={mappingId}
            />
          )}
        </>
      )}
    </>
  );
}

function OfMapping({ subject, mappingId }: { subject: Subject; mappingId: string }) {
  const read = useRead('mappings_get', { path: { mappingId } });
  return (
    <Loaded of={read} lines={10}>
      {({ result }) => <Workbench subject={subject} stored={result} />}
    </Loaded>
  );
}
