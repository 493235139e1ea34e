import type { Result } from '#contract';
import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';

const maxNames = 200;

/** Names of members, accounts and integrations by their ids, as far as the first page of each goes. */
export interface Names {
  members: ReadonlyMap<string, string>;
  accounts: ReadonlyMap<string, string>;
  integrations: ReadonlyMap<string, string>;
}

type Caller = Pick<Result<'audit_list'>['result'][number], 'member_id' | 'user_agent'>;

/** Names who made a call of the audit trail. */
export function actorOf(
  { member_id: member, user_agent: agent }: Caller,
  members: Names['members'],
): string {
  if (member) return members.get(member) ?? member;
  return agent === 'connector' ? 'the service itself' : 'nobody who is known';
}

export function useNames(): Names {
  return {
    members: useMemberNames(),
    accounts: useNamesOf('accounts_list'),
    integrations: useNamesOf('integrations_list'),
  };
}

export function useMemberNames(): Names['members'] {
  return useNamesOf('members_list');
}

type Listing = 'members_list' | 'accounts_list' | 'integrations_list';

function useNamesOf(operation: Listing): ReadonlyMap<string, string> {
  const query = { limit: maxNames };
  const read = useRead(operation, { query }, undefined, mayCall(operation));
  const records: readonly { id: string; fullname: string }[] = read.data?.result ?? [];
  return new Map(records.map(({ id, fullname }) => [id, fullname]));
}
