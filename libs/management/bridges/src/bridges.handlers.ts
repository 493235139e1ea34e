import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import type { Call, ManagementSchemas, Reply } from '#contract';
import {
  changedNames,
  checkDescription,
  checkLabels,
  ManagementContext,
  newRecord,
  RecordHandlers,
  recordView,
} from '#management/core';
import { type Bridge, kinds, type Reader, type Transaction } from '#store';
import { type AgentRow, connectedAgents, endSessions } from './bridge-agents.js';
import { issueBridgeCredential } from './bridge-credential.js';
import { refuseWhenSelected, refuseWhenUsed } from './refuse-when-used.js';

type View = ManagementSchemas['BridgeGroup'];

/** `/v1/bridges`: the groups of agents through which integrations of an account reach a customer's own network. */
@Controller()
export class BridgesHandlers {
  private readonly records: RecordHandlers<Bridge, View>;

  constructor(private readonly context: ManagementContext) {
    this.records = new RecordHandlers(context, {
      kind: kinds.bridges,
      called: 'bridge group',
      view,
      operations: { patch: 'bridges_patch', update: 'bridges_update' },
      store: (tx, bridge, body, _caller, { force }) => this.store(tx, bridge, body, force),
      remove: (tx, bridge, _caller, { force }) => remove(tx, bridge, force),
    });
  }

  @Handles('bridges_list')
  async list(call: Call<'bridges_list'>): Promise<Reply<'bridges_list'>> {
    return await this.records.list(call, inAccount(call.path));
  }

  @Handles('bridges_get')
  async get(call: Call<'bridges_get'>): Promise<Reply<'bridges_get'>> {
    return await this.records.get(call, call.path.bridgeId, inAccount(call.path));
  }

  @Handles('bridges_create')
  async create(call: Call<'bridges_create'>): Promise<Reply<'bridges_create'>> {
    const body: ManagementSchemas['CreateBridgeRequest'] = call.body ?? {};
    return await this.context.create(call, async (tx) => {
      const account = await tx.accounts.get(call.path.accountId);
      const id = this.context.ids.next(kinds.bridges);
      const within = { accountId: account.id };
      const record = {
        ...(await newRecord(this.context, tx, tx.bridges, { ...body, id }, within)),
        ...within,
        ...content(body),
      };
      const { credential, publicKey } = await issueBridgeCredential(record, record.createdAt);
      const bridge = await tx.bridges.insert({ ...record, publicKey });
      return { result: { bridge: view(bridge), credential } };
    });
  }

  @Handles('bridges_update')
  async update(call: Call<'bridges_update'>): Promise<Reply<'bridges_update'>> {
    return await this.records.update(call, call.path.bridgeId, inAccount(call.path));
  }

  @Handles('bridges_patch')
  async patch(call: Call<'bridges_patch'>): Promise<Reply<'bridges_patch'>> {
    return await this.records.patch(call, call.path.bridgeId, inAccount(call.path));
  }

  /** Deletes the group and its credential, whose public key is part of the record, unless integrations select it by its id. */
  @Handles('bridges_delete')
  async delete(call: Call<'bridges_delete'>): Promise<Reply<'bridges_delete'>> {
    await this.records.delete(call, call.path.bridgeId, inAccount(call.path));
    return undefined as Reply<'bridges_delete'>;
  }

  /** Replaces the credential of the group. Agents with the old one are disconnected, and their keys stay known. */
  @Handles('bridges_rotate_credential')
  async rotate(
    call: Call<'bridges_rotate_credential'>,
  ): Promise<Reply<'bridges_rotate_credential'>> {
    return await this.context.create(call, async (tx) => {
      const within = await inAccount(call.path)(tx);
      const bridge = await tx.bridges.getLocked(call.path.bridgeId, within);
      const updatedAt = this.context.now();
      const { credential, publicKey } = await issueBridgeCredential(bridge, updatedAt);
      const rotated = await tx.bridges.save({ ...bridge, publicKey, updatedAt });
      await endSessions(tx, bridge);
      await tx.notify('bridge.changed', { bridgeId: bridge.id });
      return { result: { bridge: view(rotated), credential } };
    });
  }

  /** Lists the agents that are connected. */
  @Handles('bridges_get_status')
  async status(call: Call<'bridges_get_status'>): Promise<Reply<'bridges_get_status'>> {
    return await this.context.read(call, async (tx) => {
      const bridge = await tx.bridges.get(call.path.bridgeId, await inAccount(call.path)(tx));
      const now = this.context.now();
      const agents = await connectedAgents(tx, bridge, now);
      return { result: agents.map((agent) => agentView(agent, now)) };
    });
  }

  private async store(tx: Transaction, bridge: Bridge, body: View, force: boolean): Promise<View> {
    const changed: Bridge = {
      ...bridge,
      ...changedNames(this.context, bridge, body),
      ...content(body),
    };
    if (!force) await refuseWhenSelected(tx, bridge, changed.labels ?? []);
    // Integrations may select the group by its labels.
    tx.forget(bridge.accountId);
    return view(await tx.bridges.save(changed));
  }
}

async function remove(tx: Transaction, bridge: Bridge, force: boolean): Promise<void> {
  if (!force) await refuseWhenUsed(tx, bridge);
  await tx.bridges.delete(bridge);
  await tx.notify('bridge.changed', { bridgeId: bridge.id });
  tx.forget(bridge.accountId);
}

/** Limits the search for a bridge group to the account of the path. */
function inAccount({ accountId }: { accountId: string }) {
  return async (tx: Reader) => ({ accountId: (await tx.accounts.get(accountId)).id });
}

function content({ description, labels }: ManagementSchemas['CreateBridgeRequest']) {
  return {
    description: checkDescription(description),
    labels: labels ? checkLabels(labels) : null,
  };
}

function view(bridge: Bridge): View {
  return {
    ...recordView(bridge),
    ...(bridge.description === null ? {} : { description: bridge.description }),
    ...(bridge.labels === null ? {} : { labels: bridge.labels }),
  };
}

const noStats = { requests: 0, failures: 0, in_bytes: 0, out_bytes: 0 };

function agentView(agent: AgentRow, now: Date): ManagementSchemas['BridgeStatus'] {
  const { key, facts, stats, response_ms: responseMs } = agent;
  const { last_error: lastError, ...localStats } = stats ?? { ...noStats, last_error: undefined };
  return {
    current_time: now.toISOString(),
    response_duration: `${(responseMs ?? 0).toFixed(3)}ms`,
    local_config: {
      version: facts.version,
      allow_addresses: facts.allow_addresses,
      vault: facts.vault,
    },
    local_stats: localStats,
    agent: key,
    host_name: facts.host_name,
    started_at: facts.started_at,
    first_connected_at: agent.created_at.toISOString(),
    connected_at: agent.connected_at.toISOString(),
    ...(lastError === undefined ? {} : { last_error: lastError }),
  };
}
