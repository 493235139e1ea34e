import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { type Integration, IntegrationChoice } from '../../parts/integration-choice.js';
import { Link } from '../../parts/link.js';
import { pathOf, type Target } from './target.js';

function inDomain(domain: string): string[] {
  return [`category[eq]${domain}`];
}

/** Reads the second integration that the address names; undefined while none is chosen. */
export function useSecond(target: Target | undefined): Integration | undefined {
  const chosen = place.value.search.get('second') ?? '';
  const filter = target === undefined ? [] : [...inDomain(target.domain), `id[eq]${chosen}`];
  const query = { limit: 1, expand: 'account', filter };
  const isWanted = target !== undefined && chosen !== '';
  return useRead('integrations_list', { query }, undefined, isWanted).data?.result[0];
}

/** Chooses the integration that a first one of the same domain is compared with. @param address of the first one */
export function ChooseSecond({ address }: { address: string }) {
  const path = pathOf(address);
  const domain = useRead('integrations_get', { path: { ...path } }).data?.result.category;
  return domain === undefined ? null : <InDomain path={path} domain={domain} />;
}

function InDomain({ path, domain }: Pick<Target, 'path' | 'domain'>) {
  const filter = inDomain(domain);
  // The first integration may be one of them.
  const some = useRead('integrations_list', { query: { limit: 2, filter } }).data?.result;
  if (some?.every(({ id }) => id === path.integrationId)) {
    const search = new URLSearchParams({ account: path.accountId, domain });
    return (
      <p class="empty">
        This is the only integration of its domain.{' '}
        <Link to={`/integrations/new?${search.toString()}`}>Connect a second one</Link>, and compare
        what both answer.
      </p>
    );
  }
  return (
    <div class="toolbar">
      <IntegrationChoice
        label="Second integration"
        chosen={place.value.search.get('second') ?? ''}
        filter={filter}
        without={({ id }) => id === path.integrationId}
        onChoose={(id) => setSearch({ second: id })}
      />
    </div>
  );
}
