import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { unlessChanged } from '../../parts/conflict.js';
import { Link } from '../../parts/link.js';
import {
  builtInMapping,
  type Chains,
  chainOf,
  chainsWithout,
  isForProvider,
  nameOfMapping,
} from '../../parts/mappings/chains.js';

interface Props extends Pick<Chains, 'ofPoint'> {
  integration: Result<'integrations_get'>['result'];
}

/** The mappings that run, in their order; an own chain hides that of the point for its operations. */
export function MappingChains({ integration, ofPoint }: Props) {
  const { mappings, additional_mappings: additional, provider_type: providerId } = integration;
  const own = mappings ?? [];
  const hidden = new Set(own.flatMap((one) => one.operation_ids));
  const inherited = ofPoint
    .filter((one) => isForProvider(one, providerId))
    .map((one) => ({ ...one, operation_ids: one.operation_ids.filter((id) => !hidden.has(id)) }))
    .filter((one) => one.operation_ids.length > 0);
  const [taken, setTaken] = useState<string>();
  const address = `${integration.account_id}/${integration.id}`;
  return (
    <section class="card" aria-labelledby="mappings">
      <h2 id="mappings">Mappings</h2>
      {taken !== undefined && (
        <TakeOut
          integration={integration}
          chains={{ own, ofPoint, providerId }}
          reference={taken}
          onClose={() => setTaken(undefined)}
        />
      )}
      <ul class="lines">
        {[...own, ...inherited].map((one) => (
          <li key={one.operation_ids.join()}>
            <code>{one.mappings.map(nameOfMapping).join(' → ')}</code>
            <small>
              {own.includes(one) ? '' : 'of the integration point · '}
              {one.operation_ids.join(', ')}
            </small>
            {own.includes(one) &&
              one.mappings
                .filter((name) => name !== builtInMapping)
                .map((name) => (
                  <Action
                    key={name}
                    operation="integrations_patch"
                    kind="small"
                    name={`Take ${name} out of the chain`}
                    onClick={() => setTaken(name)}
                  >
                    {`Take ${name} out`}
                  </Action>
                ))}
          </li>
        ))}
        <li>
          <code>{nameOfMapping(builtInMapping)}</code>
          <small>
            {own.length + inherited.length === 0 ? 'all operations' : 'all other operations'}
          </small>
        </li>
      </ul>
      {(additional ?? []).length > 0 && (
        <>
          <h3>Then the additional fields</h3>
          <ul class="bullets">
            {(additional ?? []).map(({ source, destination, resource, literal }) => (
              <li key={`${resource} ${destination}`}>
                {resource}: <code>custom_fields.{destination}</code> is{' '}
                {literal ? `always ${source}` : <code>{source}</code>}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <Link to={`/studio?integration=${address}`}>Change them in the mapping studio</Link>
      </p>
    </section>
  );
}

interface TakeOutProps {
  integration: Props['integration'];
  chains: Chains;
  /** The mapping as the chain names it. */
  reference: string;
  onClose: () => void;
}

/** Asks before a mapping is taken out of the chains of the integration, and says what runs from then on. */
function TakeOut({ integration, chains, reference, onClose }: TakeOutProps) {
  const operations = chains.own
    .filter(({ mappings }) => mappings.includes(reference))
    .flatMap((one) => one.operation_ids);
  const after = { ...chains, own: chainsWithout(chains, reference) };
  const remove = async (signal: AbortSignal) => {
    const path = { accountId: integration.account_id, integrationId: integration.id };
    // The page may be old: chains that somebody has added meanwhile are not to be lost.
    const body = unlessChanged(integration.updated_at, { mappings: after.own });
    await call('integrations_patch', { path, body }, signal);
    await cache.invalidateQueries({ queryKey: ['integrations_get'] });
    announce(`${reference} is taken out of the chain`);
    onClose();
  };
  return (
    <Confirm
      title={`Take ${reference} out of the chain?`}
      operation="integrations_patch"
      action="Take it out"
      work={remove}
      onClose={onClose}
    >
      <p>The mapping itself stays. From the next call on, this runs:</p>
      <ul class="bullets">
        {operations.map((id) => (
          <li key={id}>
            {id}: <code>{chainOf(after, id).map(nameOfMapping).join(' → ')}</code>
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
