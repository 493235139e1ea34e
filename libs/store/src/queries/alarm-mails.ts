import type { Reader, Transaction } from '../transaction.js';

/** An integration whose state has changed since the last mail. */
export interface ChangedState {
  accountId: string;
  accountName: string;
  environment: string;
  integrationId: string;
  integrationName: string;
  providerName: string;
  /** The state that it is in, and since when. */
  status: string;
  since: Date;
  /** The state before the first of the changes; null if there was no call before. */
  previousStatus: string | null;
  changes: number;
  /** The newest words of a failure. */
  error: string | null;
}

/** A mail that waits until the mail server has taken it. */
export interface AlarmMail {
  id: string;
  recipient: string;
  subject: string;
  body: string;
  createdAt: Date;
}

/** When an organization last got mails, and the least time to the next ones. */
export interface MailPace {
  mailedAt: Date | null;
  gapMs: number;
}

/** Takes the changes that wait, in the transaction that stores their mails: a row for each integration that is still there. */
export async function takeChanges(tx: Transaction): Promise<ChangedState[]> {
  return await tx.query<ChangedState>(
    `with taken as (
       update integration_events set for_mail = false where organization_id = $1 and for_mail
       returning id, integration_id, name, created_at, status, error
     ), changed as (
       select integration_id, count(*)::int as changes, min(name) as first, max(id) as last,
         (array_agg(error order by id desc) filter (where error is not null))[1] as error
       from taken group by integration_id
     )
     select a.id as "accountId", a.fullname as "accountName", a.environment, i.id as "integrationId", i.fullname as "integrationName",
       i.provider_fullname as "providerName", t.status, t.created_at as since, c.changes, c.error,
       (select b.status from integration_events b where b.integration_id = c.integration_id and b.name < c.first
         order by b.name desc limit 1) as "previousStatus"
     from changed c join taken t on t.id = c.last
       join integrations i on i.id = c.integration_id join accounts a on a.id = i.account_id
     order by a.fullname, i.fullname, i.id`,
    [tx.scope.organizationId],
  );
}

export async function insert(tx: Transaction, mail: AlarmMail): Promise<void> {
  const { id, recipient, subject, body, createdAt } = mail;
  await tx.query(
    `insert into alarm_mails (id, organization_id, recipient, subject, body, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [id, tx.scope.organizationId, recipient, subject, body, createdAt],
  );
}

/** Returns a mail that waits, and whether its recipient is still among the addresses of the organization. */
export async function find(
  tx: Reader,
  id: string,
): Promise<(AlarmMail & { isWanted: boolean | null }) | undefined> {
  const [found] = await tx.query<AlarmMail & { isWanted: boolean | null }>(
    `select m.id, m.recipient, m.subject, m.body, m.created_at as "createdAt",
       o.options -> 'alarm_mails' -> 'addresses' ? m.recipient as "isWanted"
     from alarm_mails m join organizations o on o.id = m.organization_id where m.organization_id = $1 and m.id = $2`,
    [tx.scope.organizationId, id],
  );
  return found;
}

export async function forget(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from alarm_mails where organization_id = $1 and id = $2', [
    tx.scope.organizationId,
    id,
  ]);
}

/** True if a mail waits that was made after a time. */
export async function isOneWaiting(tx: Reader, after: Date): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from alarm_mails where organization_id = $1 and created_at > $2 limit 1',
    [tx.scope.organizationId, after],
  );
  return rows.length > 0;
}

/** Takes the turn of making mails, for one of the workers that ask. @returns false if changes are not gathered yet */
export async function takeTurn(
  tx: Transaction,
  { now, nextAt }: { now: Date; nextAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into alarm_mail_paces as p (organization_id, next_at) values ($1, $3)
     on conflict (organization_id) do update set next_at = excluded.next_at where p.next_at <= $2 returning 1`,
    [tx.scope.organizationId, now, nextAt],
  );
  return rows.length > 0;
}

export async function findPace(tx: Reader): Promise<MailPace> {
  const [pace] = await tx.query<MailPace>(
    `select mailed_at as "mailedAt", gap_ms as "gapMs" from alarm_mail_paces where organization_id = $1`,
    [tx.scope.organizationId],
  );
  return pace ?? { mailedAt: null, gapMs: 0 };
}

/** Notes that mails were made now, and when the next ones may be. */
export async function notePace(
  tx: Transaction,
  { mailedAt, gapMs }: { mailedAt: Date; gapMs: number },
): Promise<void> {
  await tx.query(
    `insert into alarm_mail_paces (organization_id, next_at, mailed_at, gap_ms) values ($1, $2, $3, $4)
     on conflict (organization_id) do update set next_at = excluded.next_at, mailed_at = excluded.mailed_at, gap_ms = excluded.gap_ms`,
    [tx.scope.organizationId, new Date(mailedAt.getTime() + gapMs), mailedAt, gapMs],
  );
}
