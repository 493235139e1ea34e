import { randomUUID } from 'node:crypto';
import { Controller, Logger } from '@nestjs/common';
import { type BridgeReport, type InternalCalls, Serves } from '#bus';
import { ApiError, conflict, unauthorized } from '#contract';
import { ManagementContext, type SecurityEvent } from '#management/core';
import { type Bridge, bridgeQueries, wholeOrganization } from '#store';
import { noteConnected, noteReports } from './bridge-agents.js';
import { readBridgeCredential, verifyBridgeCredential } from './bridge-credential.js';

type Admission = InternalCalls['bridges.admit'];

const log = new Logger('bridges');

/** Admits the agents that connect to gateways, and keeps their state. */
@Controller()
export class AdmitAgents {
  constructor(private readonly context: ManagementContext) {}

  @Serves('bridges.admit')
  async admit(input: Admission['input']): Promise<Admission['output']> {
    const { credential, agent } = input;
    const named = await readBridgeCredential(credential);
    if (named === undefined) throw unknownCredential();
    const { organizationId, bridgeId } = named;
    const scope = wholeOrganization(organizationId);
    const now = this.context.now();
    const session = randomUUID();
    const outcome = await this.context.store.write(scope, async (tx) => {
      // A rotation waits for those that the old credential admits, and ends their sessions.
      await bridgeQueries.lockForShare(tx, bridgeId);
      const bridge = await tx.bridges.find(bridgeId);
      if (bridge?.id !== bridgeId || !(await verifyBridgeCredential(credential, bridge)))
        throw unknownCredential();
      if ((await tx.organization()).state === 'disabled')
        throw new ApiError(402, 'the organization of the bridge group is disabled');
      const state = await noteConnected(tx, bridge, agent, { session, now });
      if (state === 'new') {
        const message = 'an agent with a new key has connected to the bridge group';
        await this.record(tx, input, bridge, { event: 'bridge_agent_added', message });
        // Connectors that looked an integration up before would say that the group never had an agent.
        tx.forget(bridge.id);
      }
      return { state, bridge };
    });
    const refusal = refusalOf(outcome.state);
    if (refusal === undefined) return { organizationId, bridgeId, session };
    const { message } = refusal;
    await this.context.store.write(scope, (tx) =>
      this.record(tx, input, outcome.bridge, { event: 'bridge_agent_refused', message }),
    );
    log.warn({ message, organization_id: organizationId, bridge_id: bridgeId, agent: agent.key });
    throw refusal;
  }

  @Serves('bridges.report')
  async report({
    agents,
  }: InternalCalls['bridges.report']['input']): Promise<InternalCalls['bridges.report']['output']> {
    const byOrganization = new Map<string, BridgeReport[]>();
    for (const agent of agents) {
      const known = byOrganization.get(agent.organizationId) ?? [];
      byOrganization.set(agent.organizationId, [...known, agent]);
    }
    const invalid: string[] = [];
    for (const [organizationId, reports] of byOrganization)
      invalid.push(
        ...(await this.context.store.write(wholeOrganization(organizationId), (tx) =>
          noteReports(tx, reports, this.context.now()),
        )),
      );
    return { invalid };
  }

  private async record(
    tx: Parameters<ManagementContext['recordVisit']>[0],
    { agent, origin }: Admission['input'],
    bridge: Bridge,
    { event, message }: { event: SecurityEvent; message: string },
  ): Promise<void> {
    const { host_name, version } = agent.facts;
    await this.context.recordVisit(tx, origin, {
      event,
      message,
      accountId: bridge.accountId,
      bridgeGroupId: bridge.id,
      data: { agent: agent.key, host_name, version },
    });
  }
}

function unknownCredential(): ApiError {
  return unauthorized(
    'the credential belongs to no bridge group, or was rotated',
    'Use what creating the group or rotating its credential returned last; that of a deleted group is not valid.',
  );
}

function refusalOf(state: Awaited<ReturnType<typeof noteConnected>>): ApiError | undefined {
  if (state === 'in use')
    return conflict(
      'another process with the key of this agent is connected',
      'Give each agent a key file of its own: remove the copied file, and a new key is made at the next start.',
    );
  if (state === 'too many')
    return conflict(
      'the bridge group has too many agents',
      'Keep the key file of an agent when it is started again.',
    );
  return undefined;
}
