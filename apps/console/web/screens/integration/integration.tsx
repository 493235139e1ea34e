import { useEffect, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place } from '../../location.js';
import { Id } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { errorOf } from '../../parts/attempt.js';
import { Loaded, Skeleton } from '../../parts/loaded.js';
import { ProblemBox } from '../../parts/problem.js';
import { consequenceOf, UnreleasedMark, useUnreleased } from '../../parts/released.js';
import { Actions } from './actions.js';
import { Calls } from './calls.js';
import { Credentials } from './credentials.js';
import { Health } from './health.js';
import { History } from './history.js';
import { MappingsTab } from './mappings-tab.js';
import { Schedules } from './schedules.js';
import { Settings } from './settings.js';
import { type Tab, tabOf, Tabs } from './tabs.js';
import type { Tokens } from './tokens.js';
import { Webhooks } from './webhooks.js';

type Integration = Result<'integrations_get'>['result'];

/** An integration: its state and its calls, and everything that is set for it, by tabs. */
export function IntegrationScreen({ accountId = '', integrationId = '' }: Record<string, string>) {
  const path = { accountId, integrationId };
  const address = `${accountId}/${integrationId}`;
  const tab = tabOf(place.value.search);
  const read = useRead('integrations_get', { path });
  const account = useRead('accounts_get', { path: { accountId } });
  const integration = read.data?.result;
  return (
    <>
      <p class="crumbs">
        <Link to="/integrations">Integrations</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {integration?.fullname ?? 'Integration'}
      </h1>
      <Loaded of={read} lines={2}>
        {({ result }) => (
          <p class="lead">
            {result.provider_fullname ?? result.provider_type} for{' '}
            <bdi>{account.data?.result.fullname ?? accountId}</bdi> · <Id value={result.id} />
          </p>
        )}
      </Loaded>
      {integration && (
        <>
          {account.data?.result.environment === 'prod' && (
            <UnreleasedNote providerId={integration.provider_type} />
          )}
          <p class="links">
            <Link to={`/explorer?integration=${address}`}>Try it in the explorer</Link>
            <Link to={`/studio?integration=${address}`}>
              Change its fields in the mapping studio
            </Link>
            <Link to={`/audit?record=${integrationId}`}>Who changed it</Link>
          </p>
          <Tabs address={`/integrations/${address}`} current={tab} />
          <OfTab tab={tab} integration={integration} />
        </>
      )}
    </>
  );
}

/** Warns of a provider that customers in production are not offered. */
function UnreleasedNote({ providerId }: { providerId: string }) {
  if (!useUnreleased(true)(providerId)) return null;
  return (
    <p class="note warn">
      <UnreleasedMark providerId={providerId} /> {consequenceOf(providerId)}
    </p>
  );
}

function OfTab({ tab, integration }: { tab: Tab; integration: Integration }) {
  const path = { accountId: integration.account_id, integrationId: integration.id };
  if (tab === 'requests') return <Calls path={path} />;
  if (tab === 'mappings') return <MappingsTab integration={integration} />;
  if (tab === 'schedules') return <Schedules integration={integration} />;
  if (tab === 'webhooks') return <Webhooks integration={integration} />;
  if (tab === 'tokens') return <LateTokens path={path} />;
  if (tab === 'settings')
    return (
      <>
        <Settings key={integration.id} integration={integration} />
        <Configuration integration={integration} />
        <Actions integration={integration} />
      </>
    );
  return (
    <div class="columns">
      <Health path={path} />
      <div class="stack">
        <Credentials integration={integration} />
        <History path={path} />
      </div>
    </div>
  );
}

/** The tokens, whose list and dialogs are loaded once somebody looks at them. */
function LateTokens(props: Parameters<typeof Tokens>[0]) {
  const [loaded, setLoaded] = useState<{ Tokens?: typeof Tokens; error?: Error }>({});
  useEffect(() => {
    import('./tokens.js').then(setLoaded, (failure: unknown) =>
      setLoaded({ error: errorOf(failure) }),
    );
  }, []);
  if (loaded.error) return <ProblemBox error={loaded.error} />;
  return loaded.Tokens ? <loaded.Tokens {...props} /> : <Skeleton lines={6} />;
}

function Configuration({ integration }: { integration: Integration }) {
  return (
    <section class="card" aria-labelledby="configuration">
      <h2 id="configuration">As JSON</h2>
      <p class="hint">As the API returns it. Secrets are stored apart and are never shown.</p>
      <pre role="group" tabIndex={0} aria-label="Configuration as JSON">
        {JSON.stringify(integration, null, 2)}
      </pre>
    </section>
  );
}
