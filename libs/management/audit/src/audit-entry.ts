import pg from 'pg';
import type { Transaction } from '#store';

/** Record of the audit trail without its time, as the SQL function `onefold_audit` takes it. */
export interface AuditEntry {
  request_id: string;
  remote_addr: string;
  user_agent: string;
  audit_type: 'API' | 'ERROR' | 'ALARM';
  method: string;
  path: string;
  /** The HTTP status of a call, or the name of an event. */
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

/**
 * Adds entries in a transaction of their organization.
 * @returns their times; an empty list if the organization does not exist
 */
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

/**
 * Returns the statement that adds entries, with its values inlined. It returns their times as `at`.
 * @param entries a JSON array that {@link storable} has written
 */
export function insertStatement(organizationId: string, entries: string): string {
  const [organization, values] = [organizationId, entries].map(pg.escapeLiteral);
  return `select onefold_audit(${organization}, ${values})::text as at`;
}

/** Corrects the record of a call that ended otherwise than recorded. */
export async function correctEntry(tx: Transaction, at: string, entry: AuditEntry): Promise<void> {
  await tx.query('select onefold_audit_ended($1, $2, $3)', [
    tx.scope.organizationId,
    at,
    storable(entry),
  ]);
}

/** Serializes a value to JSON that PostgreSQL accepts: without NUL and unpaired surrogates, which callers may send. */
export function storable(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    '$1\\ufffd',
  );
}

/** Maps the HTTP status of a call to how it ended. */
export function outcomeOf(status: number): Pick<AuditEntry, 'audit_type' | 'code' | 'status'> {
  const code = String(status);
  if (status < 400) return { audit_type: 'API', code, status: 'succeeded' };
  return status < 500
    ? { audit_type: 'API', code, status: 'refused' }
    : { audit_type: 'ERROR', code, status: 'failed' };
}
