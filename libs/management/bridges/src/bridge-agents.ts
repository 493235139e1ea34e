import type { AgentFacts, AgentStats } from '#bridge';
import type { BridgeAgent, BridgeReport } from '#bus';
import type { Bridge, Reader, Transaction } from '#store';

/** A gateway tells of its agents every five seconds: one that it did not tell of for this long is gone with its gateway. */
const maxSilence = "interval '15 seconds'";
/** Agents that did not connect for this long are forgotten, except the last one. */
const keptFor = "interval '30 days'";
const maxAgents = 500;

/** The state of an agent that is connected. */
export interface AgentRow {
  key: string;
  facts: AgentFacts;
  stats: AgentStats | null;
  response_ms: number | null;
  /** The first connection with its key. */
  created_at: Date;
  connected_at: Date;
}

/**
 * Notes that an agent has connected, if it may: another process with its key must not be connected.
 * @returns `new` for a key that was not seen before
 */
export async function noteConnected(
  tx: Transaction,
  { id, organizationId }: Pick<Bridge, 'id' | 'organizationId'>,
  { key, instance, facts }: BridgeAgent,
  { session, now }: { session: string; now: Date },
): Promise<'new' | 'known' | 'in use' | 'too many'> {
  await tx.query(
    `delete from bridge_agents where organization_id = $1 and bridge_id = $2 and disconnected_at < $3::timestamptz - ${keptFor}`,
    [organizationId, id, now],
  );
  const [found] = await tx.query<{ others: string }>(
    'select count(*) as others from bridge_agents where organization_id = $1 and bridge_id = $2 and key <> $3',
    [organizationId, id, key],
  );
  if (Number(found?.others) >= maxAgents) return 'too many';
  const rows = await tx.query<{ is_new: boolean }>(
    `insert into bridge_agents (organization_id, bridge_id, key, instance, session, facts, created_at, connected_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $7)
     on conflict (bridge_id, key) do update set
       instance = $4, session = $5, facts = $6, connected_at = $7, seen_at = $7, disconnected_at = null, stats = null
     where bridge_agents.instance = $4 or bridge_agents.disconnected_at is not null
       or bridge_agents.seen_at < $7::timestamptz - ${maxSilence}
     returning xmax = 0 as is_new`,
    [organizationId, id, key, instance, session, JSON.stringify(facts), now],
  );
  if (rows[0] === undefined) return 'in use';
  return rows[0].is_new ? 'new' : 'known';
}

/** Stores the state of agents of one organization. @returns the keys of those that are not known any more */
export async function noteReports(
  tx: Transaction,
  organizationId: string,
  agents: readonly BridgeReport[],
  now: Date,
): Promise<string[]> {
  const invalid: string[] = [];
  // In the order in which {@link endSessions} locks them.
  const sorted = agents.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  for (const { bridgeId, key, instance, session, isConnected, stats, responseMs } of sorted) {
    // An agent that has moved to another gateway has a newer session there.
    const rows = await tx.query(
      `with changed as (
         update bridge_agents set seen_at = $5, stats = $6, response_ms = coalesce($7, response_ms),
           disconnected_at = case when $8 then null when session = $9 then $5::timestamptz else disconnected_at end
         where organization_id = $1 and bridge_id = $2 and key = $3 and instance = $4
         returning 1
       ) select 1 from changed`,
      [
        organizationId,
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
    if (rows.length === 0 && isConnected) invalid.push(key);
  }
  return invalid;
}

/**
 * Ends what agents were admitted to: each has to be admitted again. A gateway that reports one of them before that is told to disconnect
 * it, also where it was admitted so shortly before that the gateway knew nothing of it when the event came.
 */
export async function endSessions(
  tx: Transaction,
  { id, organizationId }: Pick<Bridge, 'id' | 'organizationId'>,
): Promise<void> {
  // No process has an empty instance.
  await tx.query(
    `with connected as (
       select key from bridge_agents where organization_id = $1 and bridge_id = $2
       order by key collate "C" for update
     )
     update bridge_agents a set instance = '', disconnected_at = coalesce(a.disconnected_at, a.seen_at)
     from connected where a.organization_id = $1 and a.bridge_id = $2 and a.key = connected.key`,
    [organizationId, id],
  );
}

/** The agents of a group that are connected, the oldest connection first. */
export async function connectedAgents(
  tx: Reader,
  { id, organizationId }: Bridge,
  now: Date,
): Promise<AgentRow[]> {
  return await tx.query<AgentRow>(
    `select key, facts, stats, response_ms, created_at, connected_at from bridge_agents
     where organization_id = $1 and bridge_id = $2 and disconnected_at is null
       and seen_at >= $3::timestamptz - ${maxSilence}
     order by connected_at`,
    [organizationId, id, now],
  );
}
