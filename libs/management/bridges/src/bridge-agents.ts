import type { AgentFacts, AgentStats } from '#bridge';
import type { BridgeAgent, BridgeReport } from '#bus';
import { type Bridge, bridgeAgentQueries, type Reader, type Transaction } from '#store';

const maxAgents = 500;

/** The state of an agent that is connected. */
export type AgentRow = bridgeAgentQueries.ConnectedAgent<AgentFacts, AgentStats>;

/**
 * Notes that an agent has connected, if it may: another process with its key must not be connected.
 * @returns `new` for a key that was not seen before
 */
export async function noteConnected(
  tx: Transaction,
  { id }: Pick<Bridge, 'id'>,
  { key, instance, facts }: BridgeAgent,
  { session, now }: { session: string; now: Date },
): Promise<'new' | 'known' | 'in use' | 'too many'> {
  await bridgeAgentQueries.forgetOld(tx, id, now);
  if ((await bridgeAgentQueries.countOthers(tx, id, key)) >= maxAgents) return 'too many';
  const agent = { key, instance, session, facts, now };
  const connected = await bridgeAgentQueries.connect(tx, id, agent);
  if (connected === undefined) return 'in use';
  return connected.isNew ? 'new' : 'known';
}

/** Stores the state of agents of one organization. @returns the keys of those that are not known any more */
export async function noteReports(
  tx: Transaction,
  agents: readonly BridgeReport[],
  now: Date,
): Promise<string[]> {
  const invalid: string[] = [];
  // In the order in which {@link endSessions} locks them.
  const sorted = agents.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  for (const agent of sorted)
    if (!(await bridgeAgentQueries.report(tx, agent, now)) && agent.isConnected)
      invalid.push(agent.key);
  return invalid;
}

/**
 * Ends what agents were admitted to: each has to be admitted again. A gateway that reports one of them before that is told to disconnect
 * it, also where it was admitted so shortly before that the gateway knew nothing of it when the event came.
 */
export async function endSessions(tx: Transaction, { id }: Pick<Bridge, 'id'>): Promise<void> {
  await bridgeAgentQueries.endSessions(tx, id);
}

/** The agents of a group that are connected, the oldest connection first. */
export async function connectedAgents(tx: Reader, { id }: Bridge, now: Date): Promise<AgentRow[]> {
  return await bridgeAgentQueries.listConnected(tx, id, now);
}
