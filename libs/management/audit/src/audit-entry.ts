import pg from 'pg';
import type { Transaction } from '#store';

/** A record of the trail before it has its time; what `onefold_audit` takes. */
export interface AuditEntry {
  request_id: string;
  remote_addr: string;
  user_agent: string;
  audit_type: 'API' | 'ERROR' | 'ALARM';
  method: string;
  path: string;
  /** The HTTP status of a call, the name of an event. */
  code: string;
  status: 'succeeded' | 'refused' | 'failed';
  body?: unknown;
  response?: string | undefined;
  member_id?: string | undefined;
  account_id?: string | undefined;
  integration_id?: string | undefined;
  bridge_group_id?: string | undefined;
  environment?: string | undefined;
}

/** Adds entries in a transaction of their organization. @returns their times; none when there is no such organization. */
export async function insertEntries(
  tx: Transaction,
  entries: readonly AuditEntry[],
): Promise<string[]> {
  const rows = await tx.query<{ at: string }>('select onefold_audit($1, $2)::text as at', [
    tx.scope.organizationId,
    storable(entries),
  ]);
  return rows.map(({ at }) => at);
}

/** The statement that adds entries, with its values in it. It returns their times as `at`. */
export function insertStatement(organizationId: string, entries: readonly AuditEntry[]): string {
  const [organization, values] = [organizationId, storable(entries)].map(pg.escapeLiteral);
  return `select onefold_audit(${organization}, ${values})::text as at`;
}

/** Tells anew how the call of an entry has ended. */
export async function correctEntry(tx: Transaction, at: string, entry: AuditEntry): Promise<void> {
  await tx.query('select onefold_audit_ended($1, $2, $3)', [
    tx.scope.organizationId,
    at,
    storable(entry),
  ]);
}

/** As JSON that PostgreSQL takes: without NUL and halves of characters, which callers may send. */
function storable(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    '$1\\ufffd',
  );
}

/** How a call ended, by its HTTP status. */
export function outcomeOf(status: number): Pick<AuditEntry, 'audit_type' | 'code' | 'status'> {
  const code = String(status);
  if (status < 400) return { audit_type: 'API', code, status: 'succeeded' };
  return status < 500
    ? { audit_type: 'API', code, status: 'refused' }
    : { audit_type: 'ERROR', code, status: 'failed' };
}
