import type { ManagementSchemas } from '#contract';
import { useRead } from '../api/query.js';
import { environmentName, environments as allEnvironments } from './environment.js';
import { AccountChoice } from './record-choice.js';
import { useNamesOf } from './record-names.js';
import { Select } from './select.js';

/** Part of the organization that a token or a role holds for; an empty text leaves a limit out. */
export interface Reach {
  accountId: string;
  environment: string;
  domain: string;
}

export const wholeOrganization: Reach = { accountId: '', environment: '', domain: '' };

interface Props {
  reach: Reach;
  onChange: (reach: Reach) => void;
}

/** Chooses account, environment and domain. */
export function ReachFields({ reach, onChange }: Props) {
  const domains = useRead('capabilities_list_connectors').data?.result ?? [];
  return (
    <>
      <AccountChoice
        label="Account"
        chosen={reach.accountId}
        first={[{ value: '', label: 'All accounts' }]}
        onChoose={(accountId) => onChange({ ...reach, accountId })}
      />
      {reach.accountId === '' && (
        <Select
          label="Environment"
          value={reach.environment}
          onChange={(environment) => onChange({ ...reach, environment })}
        >
          {{ '': 'All environments', ...allEnvironments }}
        </Select>
      )}
      <Select
        label="Domain"
        value={reach.domain}
        onChange={(domain) => onChange({ ...reach, domain })}
      >
        {{
          '': 'All domains',
          ...Object.fromEntries(domains.map(({ id, fullname }) => [id, fullname])),
        }}
      </Select>
    </>
  );
}

/** Says in words where it holds. */
export function useReachInWords({ accountId, environment, domain }: Reach): string {
  const nameOf = useNamesOf('accounts_list', accountId === '' ? [] : [accountId]);
  const whose =
    accountId !== ''
      ? `in the account ${nameOf(accountId)}`
      : environment === ''
        ? 'in the whole organization'
        : `in all ${environmentName(environment)} accounts`;
  return domain === '' ? whose : `${whose}, in the domain ${domain} only`;
}

/** The resources as the API has them. */
export function resourcesOf({ accountId, environment, domain }: Reach) {
  const isLimited = accountId !== '' || environment !== '';
  return {
    ...(isLimited
      ? {
          accounts: {
            ids: [accountId === '' ? '*' : accountId],
            ...(accountId === '' ? { environments: [environment] } : {}),
          },
        }
      : { organizations: { ids: ['*'] } }),
    ...(domain === '' ? {} : { integrations: { categories: [domain] } }),
  };
}

/** The choice that resources come from; undefined for those that were made by the API and that the fields cannot say. */
export function reachOfResources(
  resources: ManagementSchemas['Resources'] | null | undefined,
): Reach | undefined {
  const { accounts, integrations } = resources ?? {};
  const ids = accounts?.ids ?? ['*'];
  const environments = accounts?.environments ?? [];
  const domains = integrations?.categories ?? [];
  const isSimple =
    ids.length === 1 &&
    environments.length <= 1 &&
    domains.length <= 1 &&
    !accounts?.labels?.length;
  if (!isSimple || (ids[0] !== '*' && environments.length > 0)) return undefined;
  const one = (values: readonly string[]) => (values[0] === '*' ? '' : (values[0] ?? ''));
  return { accountId: one(ids), environment: one(environments), domain: one(domains) };
}

/** Says in words which accounts and domains a role or a token reaches. */
export function reachOf(
  accounts: ManagementSchemas['RoleAccounts'] | null | undefined,
  domains: readonly string[] | null | undefined,
): string {
  const { ids = ['*'], labels, environments } = accounts ?? {};
  const hasAll = ids.includes('*');
  const which = [
    hasAll ? 'all accounts' : ids.length === 1 ? `the account ${ids[0]}` : `${ids.length} accounts`,
    ...(environments?.length ? [`in ${environments.map(environmentName).join(' and ')}`] : []),
    ...(labels?.length ? [`with the label ${labels.join(' or ')}`] : []),
    ...(domains?.length && !domains.includes('*') ? [`in ${domains.join(', ')} only`] : []),
  ];
  return which.length === 1 && hasAll ? 'the whole organization' : which.join(' ');
}
