import type { Result } from '#contract';
import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';

/** Finds the name for people of a record by its id; the id stands for one that is gone or not to be seen. */
export type NameOf = (id: string) => string;

/** Names of the records that records of the audit trail are about. */
export interface Names {
  members: NameOf;
  accounts: NameOf;
  integrations: NameOf;
}

type AuditRecord = Result<'audit_list'>['result'][number];
export type Listing =
  | 'members_list'
  | 'accounts_list'
  | 'integrations_list'
  | 'integrationPoints_list'
  | 'mappings_list';

/** Names who made a call of the audit trail. */
export function actorOf(
  { member_id: member, user_agent: agent }: Pick<AuditRecord, 'member_id' | 'user_agent'>,
  members: NameOf,
): string {
  if (member) return members(member);
  return agent === 'connector' ? 'the service itself' : 'nobody who is known';
}

export function useNames(records: readonly AuditRecord[]): Names {
  return {
    members: useMemberNames(records),
    accounts: useNamesOf('accounts_list', idsIn(records, 'account_id')),
    integrations: useNamesOf('integrations_list', idsIn(records, 'integration_id')),
  };
}

export function useMemberNames(records: readonly AuditRecord[]): NameOf {
  return useNamesOf('members_list', idsIn(records, 'member_id'));
}

/** Reads the names of the records with these ids, which are those of one page at most. */
export function useNamesOf(operation: Listing, ids: readonly string[]): NameOf {
  const distinct = [...new Set(ids)].sort();
  const query = { limit: distinct.length, filter: `id[in]${distinct.join(',')}` };
  const isWanted = distinct.length > 0 && mayCall(operation);
  const read = useRead(operation, { query }, undefined, isWanted);
  const records: readonly { id: string; name: string; fullname?: string | null }[] =
    read.data?.result ?? [];
  const names = new Map(records.map(({ id, name, fullname }) => [id, fullname ?? name]));
  return (id) => names.get(id) ?? id;
}

type Reference = 'account_id' | 'integration_id' | 'member_id';

function idsIn(records: readonly AuditRecord[], field: Reference): string[] {
  return records.flatMap((one) => one[field] ?? []);
}
