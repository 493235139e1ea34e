import type { Reader, Transaction } from '../transaction.js';

/** Gateways report their agents every five seconds: an agent that was not reported for this long is gone with its gateway. */
const maxSilence = "interval '15 seconds'";
/** Agents that did not connect for this long are forgotten, except the last one. */
const keptFor = "interval '30 days'";

/** A connected agent. @template Facts what it says about itself @template Stats its counters */
export interface ConnectedAgent<Facts, Stats> {
  key: string;
  facts: Facts;
  stats: Stats | null;
  response_ms: number | null;
  /** The first connection with its key. */
  created_at: Date;
  connected_at: Date;
}

export async function forgetOld(tx: Transaction, bridgeId: string, now: Date): Promise<void> {
  await tx.query(
    `delete from bridge_agents where organization_id = $1 and bridge_id = $2 and disconnected_at < $3::timestamptz - ${keptFor}`,
    [tx.scope.organizationId, bridgeId, now],
  );
}

/** Counts the agents of a bridge group, except the one with a key. */
export async function countOthers(tx: Transaction, bridgeId: string, key: string): Promise<number> {
  const [found] = await tx.query<{ others: string }>(
    'select count(*) as others from bridge_agents where organization_id = $1 and bridge_id = $2 and key <> $3',
    [tx.scope.organizationId, bridgeId, key],
  );
  return Number(found?.others);
}

/** Stores a connection, unless another process is connected with its key. @returns undefined if there is such a process */
export async function connect(
  tx: Transaction,
  bridgeId: string,
  {
    key,
    instance,
    session,
    facts,
    now,
  }: { key: string; instance: string; session: string; facts: object; now: Date },
): Promise<{ isNew: boolean } | undefined> {
  const [row] = await tx.query<{ is_new: boolean }>(
    `insert into bridge_agents (organization_id, bridge_id, key, instance, session, facts, created_at, connected_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $7)
     on conflict (bridge_id, key) do update set
       instance = $4, session = $5, facts = $6, connected_at = $7, seen_at = $7, disconnected_at = null, stats = null
     where bridge_agents.instance = $4 or bridge_agents.disconnected_at is not null
       or bridge_agents.seen_at < $7::timestamptz - ${maxSilence}
     returning xmax = 0 as is_new`,
    [tx.scope.organizationId, bridgeId, key, instance, session, JSON.stringify(facts), now],
  );
  return row && { isNew: row.is_new };
}

/** Stores the state of an agent. @returns false if this process of it is not known */
export async function report(
  tx: Transaction,
  {
    bridgeId,
    key,
    instance,
    session,
    isConnected,
    stats,
    responseMs,
  }: {
    bridgeId: string;
    key: string;
    instance: string;
    session: string;
    isConnected: boolean;
    stats?: object | null;
    responseMs?: number | null;
  },
  now: Date,
): Promise<boolean> {
  // An agent that has moved to another gateway has a newer session there.
  const rows = await tx.query(
    `with changed as (
         update bridge_agents set seen_at = $5, stats = $6, response_ms = coalesce($7, response_ms),
           disconnected_at = case when $8 then null when session = $9 then $5::timestamptz else disconnected_at end
         where organization_id = $1 and bridge_id = $2 and key = $3 and instance = $4
         returning 1
       ) select 1 from changed`,
    [
      tx.scope.organizationId,
      bridgeId,
      key,
      instance,
      now,
      JSON.stringify(stats),
      responseMs,
      isConnected,
      session,
    ],
  );
  return rows.length > 0;
}

/** Ends the sessions of all agents of a bridge group, in the order of their keys. */
export async function endSessions(tx: Transaction, bridgeId: string): Promise<void> {
  // No process has an empty instance.
  await tx.query(
    `with connected as (
       select key from bridge_agents where organization_id = $1 and bridge_id = $2
       order by key collate "C" for update
     )
     update bridge_agents a set instance = '', disconnected_at = coalesce(a.disconnected_at, a.seen_at)
     from connected where a.organization_id = $1 and a.bridge_id = $2 and a.key = connected.key`,
    [tx.scope.organizationId, bridgeId],
  );
}

/** Lists the connected agents of a bridge group, the oldest connection first. */
export async function listConnected<Facts, Stats>(
  tx: Reader,
  bridgeId: string,
  now: Date,
): Promise<ConnectedAgent<Facts, Stats>[]> {
  return await tx.query<ConnectedAgent<Facts, Stats>>(
    `select key, facts, stats, response_ms, created_at, connected_at from bridge_agents
     where organization_id = $1 and bridge_id = $2 and disconnected_at is null
       and seen_at >= $3::timestamptz - ${maxSilence}
     order by connected_at`,
    [tx.scope.organizationId, bridgeId, now],
  );
}

/** Returns when an agent of one of the bridge groups was connected last. */
export async function findLastSeen(
  tx: Reader,
  bridgeIds: readonly string[],
): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date | null }>(
    `select max(coalesce(disconnected_at, seen_at)) as at from bridge_agents
     where organization_id = $1 and bridge_id = any($2)`,
    [tx.scope.organizationId, bridgeIds],
  );
  return row?.at ?? undefined;
}
