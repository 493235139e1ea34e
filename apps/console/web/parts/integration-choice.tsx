import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';
import { Combobox, type Option } from './combobox.js';
import { ofEnvironment } from './environment.js';
import { useDelayed } from './use-delayed.js';
import { nameContains } from './account-names.js';

const maxFound = 20;

export type Integration = Result<'integrations_list'>['result'][number];

interface Props {
  label: string;
  /** Id of the chosen one; empty for none. */
  chosen: string;
  /** Further filters of `integrations_list`. */
  filter?: readonly string[];
  /** Integrations that are not offered. */
  without?: (one: Integration) => boolean;
  /** Options before the integrations. */
  first?: readonly Option[];
  onChoose: (value: string, integration: Integration | undefined) => void;
}

/** Chooses an integration among all of them, by a part of its name or of its customer's. */
export function IntegrationChoice(props: Props) {
  const { label, chosen, filter = [], without, first = [], onChoose } = props;
  const [text, setText] = useState('');
  const wanted = useDelayed(text.trim());
  const { found, isMore, error } = useFound(wanted, [...filter, ...ofEnvironment()]);
  // Those of an older text are not offered: Enter would choose one that nobody has read.
  const isOld = text.trim() !== wanted;
  const integrations = isOld ? undefined : found?.filter((one) => without?.(one) !== true);
  const isChosen = chosen !== '' && first.every(({ value }) => value !== chosen);
  const named = useRead(
    'integrations_list',
    { query: { limit: 1, expand: 'account', filter: `id[eq]${chosen}` } },
    undefined,
    isChosen,
  ).data?.result[0];
  const offered = first.filter((one) => one.label.toLowerCase().includes(text.toLowerCase()));
  const options = integrations && [
    ...offered,
    ...integrations.map((one) => ({
      value: one.id,
      label: nameOf(one),
      detail: one.account?.fullname ?? '',
    })),
  ];
  return (
    <Combobox
      label={label}
      chosen={chosenName(chosen, first, named)}
      options={options}
      note={
        error
          ? `They could not be listed: ${error.message}.`
          : options?.length === 0
            ? 'No integration and no customer has a name like this.'
            : isMore
              ? 'There are more: type a part of the name of the integration or the customer.'
              : undefined
      }
      onSearch={setText}
      onChoose={(value) =>
        onChoose(
          value,
          integrations?.find(({ id }) => id === value),
        )
      }
    />
  );
}

function chosenName(
  chosen: string,
  first: readonly Option[],
  named: Integration | undefined,
): string {
  const special = first.find(({ value }) => value === chosen);
  if (special !== undefined || chosen === '') return special?.label ?? '';
  if (named === undefined) return chosen;
  const account = named.account?.fullname;
  return account ? `${nameOf(named)}, ${account}` : nameOf(named);
}

/** `Service desk (Jira)` */
function nameOf({ fullname, provider_fullname, provider_type }: Integration): string {
  return `${fullname} (${provider_fullname ?? provider_type})`;
}

/** Integrations whose name contains a text, then those of accounts whose name does. */
function useFound(text: string, filter: readonly string[]) {
  const common = { limit: maxFound, expand: 'account' };
  const byName = useRead('integrations_list', {
    query: { ...common, filter: [...filter, nameContains(text) ?? []].flat() },
  });
  const isByAccount = text !== '' && mayCall('accounts_list');
  const accounts = useRead(
    'accounts_list',
    { query: { limit: maxFound, filter: nameContains(text) } },
    undefined,
    isByAccount,
  ).data?.result;
  const ids = (isByAccount ? (accounts ?? []) : []).map(({ id }) => id);
  const byAccount = useRead(
    'integrations_list',
    { query: { ...common, filter: [...filter, `account_id[in]${ids.join(',')}`] } },
    undefined,
    ids.length > 0,
  );
  const others = ids.length > 0 ? (byAccount.data?.result ?? []) : [];
  const own = byName.data?.result;
  const known = new Set(own?.map(({ id }) => id));
  return {
    found: own && [...own, ...others.filter(({ id }) => !known.has(id))],
    isMore: [own ?? [], others, accounts ?? []].some(({ length }) => length === maxFound),
    error: byName.error,
  };
}
