import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';

const maxNames = 200;

/** Names of members, accounts and integrations by their ids, as far as the first page of each goes. */
export interface Names {
  members: ReadonlyMap<string, string>;
  accounts: ReadonlyMap<string, string>;
  integrations: ReadonlyMap<string, string>;
}

export function useNames(): Names {
  return {
    members: useNamesOf('members_list'),
    accounts: useNamesOf('accounts_list'),
    integrations: useNamesOf('integrations_list'),
  };
}

type Listing = 'members_list' | 'accounts_list' | 'integrations_list';

function useNamesOf(operation: Listing): ReadonlyMap<string, string> {
  const query = { limit: maxNames };
  const read = useRead(operation, { query }, undefined, mayCall(operation));
  const records: readonly { id: string; fullname: string }[] = read.data?.result ?? [];
  return new Map(records.map(({ id, fullname }) => [id, fullname]));
}
