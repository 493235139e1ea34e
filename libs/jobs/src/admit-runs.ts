import type { Transaction } from '#store';
import { enqueuePage } from './run-page.js';
import type { Run } from './run-row.js';

/** How many runs of an organization are in the queue at once. The others wait, so organizations take turns page by page. */
export const maxRunsPerOrganization = 4;
/** How many of these are of one account: a page of a host that does not answer takes a minute, and the other accounts go on meanwhile. */
export const maxRunsPerAccount = 3;

/** How many accounts are looked at for the next runs; those behind them have their turn next time. */
const maxAccountsConsidered = 200;

/** Condition of a run that has a place; one that waits for a later time to be tried again has none. `$3` is the time. */
const isBusy =
  "r.admitted_at is not null and coalesce(r.waiting_since, '-infinity'::timestamptz) <= $3";
const isWaiting = 'r.organization_id = $1 and r.admitted_at is null';

/**
 * Lets waiting runs of the organization into the queue, as far as others have ended or given up their place: first those of the account
 * that has the fewest there, then the one that has waited longest. Lists without an end therefore stop nobody else's jobs. Reads a few
 * runs of each account, from one account to the next by the index, so it takes no longer while many wait.
 */
export async function admitRuns(tx: Transaction, now: Date): Promise<void> {
  const { organizationId } = tx.scope;
  await lockPlaces(tx);
  const admitted = await tx.query<{ id: string; page: number; since: Date | null }>(
    `with recursive busy as (
       select r.account_id, count(*) as places, max(r.admitted_at) as newest from operation_runs r
       where r.organization_id = $1 and ${isBusy} group by r.account_id
     ), free as (
       select $2 - coalesce(sum(places), 0) as places,
         coalesce((select account_id from busy order by newest desc, account_id limit 1), '') as last
       from busy
     ), considered as (
       -- Accounts with waiting runs, in a circle that begins behind the one that was let in last. A row without one is the turn of the circle.
       select null::text collate "C" as account_id, last collate "C" as place, false as has_turned, 0 as number from free where places > 0
       union all
       select next.account_id, coalesce(next.account_id, ''), has_turned or next.account_id is null, number + 1
       from considered cross join free left join lateral (
         select r.account_id from operation_runs r where ${isWaiting} and r.account_id > considered.place
         order by r.account_id limit 1
       ) next on true
       where number < $5 and not (has_turned and (next.account_id is null or next.account_id > last))
     ), waiting as (
       select run.id, run.since, coalesce(busy.places, 0) + row_number() over (
         partition by considered.account_id order by run.since, run.id) as turn
       from considered left join busy on busy.account_id = considered.account_id cross join lateral (
         select r.id, coalesce(r.waiting_since, r.created_at) as since from operation_runs r
         where ${isWaiting} and r.account_id = considered.account_id
         order by coalesce(r.waiting_since, r.created_at), r.id limit $4
       ) run
     ), next as (
       select id from waiting where turn <= $4 order by since > $3, turn, since, id
       limit (select greatest(places, 0) from free)
     ), changed as (
       update operation_runs set admitted_at = $3 where id in (select id from next)
       returning id, page, waiting_since as since
     )
     select id, page, since from changed order by id`,
    [organizationId, maxRunsPerOrganization, now, maxRunsPerAccount, maxAccountsConsidered],
  );
  for (const { id, page, since } of admitted)
    await enqueuePage(tx, id, page, since !== null && since > now ? since : undefined);
}

/** Lets an admitted run go on with a page: in its place, or when others that wait have had their turn. @param runAt not before */
export async function continueRun(
  tx: Transaction,
  { id, page }: { id: string; page: number },
  now: Date,
  runAt?: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  const [others] = await tx.query(
    'select id from operation_runs where organization_id = $1 and admitted_at is null limit 1',
    [organizationId],
  );
  if (others === undefined) {
    if (runAt !== undefined)
      await tx.query(
        'update operation_runs set waiting_since = $3 where organization_id = $1 and id = $2',
        [organizationId, id, runAt],
      );
    return await enqueuePage(tx, id, page, runAt);
  }
  await tx.query(
    'update operation_runs set admitted_at = null, waiting_since = $3 where organization_id = $1 and id = $2',
    [organizationId, id, runAt ?? now],
  );
  await admitRuns(tx, now);
}

/** True for a run that was let into the queue with a later time. */
export function hasRested({ admittedAt, waitingSince }: Run): boolean {
  return admittedAt !== null && waitingSince !== null && waitingSince > admittedAt;
}

/**
 * Gives a run its place whose later time has come. The run is locked, as all are that lock places.
 * @returns false if others have all places meanwhile: then it waits for its turn
 */
export async function takePlaceAgain(
  tx: Transaction,
  { id }: Run,
  accountId: string,
  now: Date,
): Promise<boolean> {
  await lockPlaces(tx);
  const [place] = await tx.query<{ isFree: boolean }>(
    `with busy as (
       select count(*) as places, count(*) filter (where r.account_id = $6) as of_account from operation_runs r
       where r.organization_id = $1 and r.id <> $2 and ${isBusy}
     ), changed as (
       update operation_runs r set waiting_since = least(r.waiting_since, $3),
         admitted_at = case when busy.places < $4 and busy.of_account < $5 then $3 end
       from busy where r.organization_id = $1 and r.id = $2
       returning r.admitted_at
     )
     select admitted_at is not null as "isFree" from changed`,
    [tx.scope.organizationId, id, now, maxRunsPerOrganization, maxRunsPerAccount, accountId],
  );
  return place?.isFree === true;
}

/** Two transactions would count the same places as free. */
async function lockPlaces(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `jobs of ${tx.scope.organizationId}`,
  ]);
}
