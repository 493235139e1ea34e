import type { ComponentChildren } from 'preact';
import { useRead } from '../api/query.js';
import { setSearch } from '../location.js';
import { ofEnvironment } from '../parts/environment.js';

const maxIntegrations = 200;

interface Props {
  /** `<account>/<integration>`, empty, or the value of an option of `children`. */
  chosen: string;
  /** Search parameters that belong to the integration chosen before. */
  cleared: readonly string[];
  /** Options before the integrations. */
  children?: ComponentChildren;
}

/** Chooses an integration, and keeps it in the address. */
export function ChooseIntegration({ chosen, cleared, children }: Props) {
  const query = { limit: maxIntegrations, expand: 'account', filter: ofEnvironment() };
  const integrations = useRead('integrations_list', { query });
  const all = integrations.data?.result ?? [];
  const isListed = all.some((one) => addressOf(one) === chosen);
  const choose = (integration: string) =>
    setSearch({ ...Object.fromEntries(cleared.map((name) => [name, ''])), integration });
  return (
    <div class="toolbar">
      <label class="long">
        Integration
        <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Choose …</option>
          {children}
          {!isListed && chosen.includes('/') && <option value={chosen}>{chosen}</option>}
          {all.map((one) => (
            <option key={one.id} value={addressOf(one)}>
              {one.fullname} ({one.provider_fullname ?? one.provider_type})
            </option>
          ))}
        </select>
      </label>
      {integrations.error !== null && (
        <p class="hint">The integrations could not be listed: {integrations.error.message}.</p>
      )}
    </div>
  );
}

function addressOf({ account_id, id }: { account_id: string; id: string }): string {
  return `${account_id}/${id}`;
}
