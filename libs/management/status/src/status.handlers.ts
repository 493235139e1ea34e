import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { badRequest, type Call, type ManagementSchemas, notFound, type Reply } from '#contract';
import { integrationView } from '#management/integrations';
import { accountView, ManagementContext, totalView } from '#management/core';
import { parseInstant } from '#query';
import {
  type Account,
  type Integration,
  type IntegrationEvent,
  type IntegrationStatus,
  kinds,
  type ListQuery,
  listQuery,
  type Reader,
  usageQueries,
} from '#store';
import { integrationOf } from './integration-of.js';

const keptDriftMs = 30 * 86_400_000;

/** `/v1/status`: usage and state of integrations. */
@Controller()
export class StatusHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('status_list')
  async list(call: Call<'status_list'>): Promise<Reply<'status_list'>> {
    const query = statusQuery(call.query);
    return await this.context.read(call, async (tx) => {
      const { rows, ...total } = await tx.integrationStatuses.list(query);
      const { accounts, integrations } = await expand(tx, rows, call.query.expand ?? []);
      return {
        result: rows.map((row) => {
          const account = accounts.get(row.accountId);
          const integration = integrations.get(row.integrationId);
          return {
            ...statusView(row),
            ...(account ? { account: accountView(account) } : {}),
            ...(integration ? { integration: integrationView(integration) } : {}),
          };
        }),
        ...totalView(total),
      };
    });
  }

  @Handles('status_get')
  async get(call: Call<'status_get'>): Promise<Reply<'status_get'>> {
    return await this.context.read(call, async (tx) => {
      const { id } = await integrationOf(tx, call.path);
      // By the id alone: to look for a name as well, the database would read the statuses of the whole organization.
      const [status] = await tx.integrationStatuses.byIds([id]);
      if (status === undefined) throw notFound('integration', id);
      return {
        result: { ...statusView(status), drift: await driftOf(tx, id, this.context.now()) },
      };
    });
  }

  /** Resets counters to zero and the state to `new`, and forgets drift; time series, events and billing are kept. */
  @Handles('status_reset')
  async reset(call: Call<'status_reset'>): Promise<Reply<'status_reset'>> {
    await this.context.write(call, async (tx) => {
      const { id } = await integrationOf(tx, call.path);
      await usageQueries.resetStatus(tx, id, this.context.now());
    });
    return undefined as Reply<'status_reset'>;
  }

  @Handles('status_list_events')
  async listEvents(call: Call<'status_list_events'>): Promise<Reply<'status_list_events'>> {
    const query = eventQuery(call.query);
    return await this.context.read(call, async (tx) => {
      const { id } = await integrationOf(tx, call.path);
      const { rows } = await tx.integrationEvents.list(query, { integrationId: id });
      return { result: rows.map(eventView) };
    });
  }
}

/** Returns what showed that the provider changes its API. Entries are dropped when newer ones are added, so old ones may be there. */
async function driftOf(
  tx: Reader,
  integrationId: string,
  now: Date,
): Promise<ManagementSchemas['StatusDrift'][]> {
  const drift = await usageQueries.listDrift(tx, integrationId);
  const oldest = now.getTime() - keptDriftMs;
  return drift.flatMap(({ first_seen_at: first, last_seen_at: last, ...entry }) =>
    Date.parse(last) < oldest
      ? []
      : [
          {
            ...entry,
            first_seen_at: new Date(first).toISOString(),
            last_seen_at: new Date(last).toISOString(),
          },
        ],
  );
}

/** Orders by account id, then integration id, by default, which is the order of the rows' names. */
function statusQuery({ order, ...rest }: Call<'status_list'>['query']): ListQuery {
  const isDefault = order?.join() === 'account_id,integration_id';
  return listQuery(isDefault ? rest : { ...rest, order }, kinds.integrationStatuses.fields);
}

/** Events are ordered and named by their time; a page starts after a time. */
function eventQuery(query: Call<'status_list_events'>['query']): ListQuery {
  const { order, start_after: startAfter, ...rest } = query;
  const read = listQuery({ ...rest, order: order ? [order] : [] }, kinds.integrationEvents.fields);
  const direction = read.orders[0]?.direction ?? 'asc';
  return {
    ...read,
    orders: [{ field: 'name', direction }],
    ...(startAfter ? { startAfter: timeOf(startAfter) } : {}),
  };
}

function timeOf(text: string): string {
  const time = parseInstant(text);
  if (Number.isNaN(time))
    throw badRequest({
      location: 'query',
      pointer: 'start_after',
      message: 'is not a valid RFC 3339 time',
      remediation: 'Send created_at of the last event of the previous page.',
      value: text,
    });
  return new Date(time).toISOString();
}

async function expand(
  tx: Reader,
  rows: readonly IntegrationStatus[],
  wanted: readonly string[],
): Promise<{
  accounts: ReadonlyMap<string, Account>;
  integrations: ReadonlyMap<string, Integration>;
}> {
  const asks = (...names: string[]) => [...names, 'all'].some((name) => wanted.includes(name));
  const accounts = asks('account', 'accounts')
    ? await tx.accounts.byIds([...new Set(rows.map(({ accountId }) => accountId))])
    : [];
  const integrations = asks('integration', 'integrations')
    ? await tx.integrations.byIds(rows.map(({ integrationId }) => integrationId))
    : [];
  return {
    accounts: new Map(accounts.map((one) => [one.id, one])),
    integrations: new Map(integrations.map((one) => [one.id, one])),
  };
}

function statusView(row: IntegrationStatus): ManagementSchemas['Status'] {
  return {
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    account_id: row.accountId,
    integration_id: row.integrationId,
    status: row.status,
    requests: row.requests,
    job_requests: row.jobRequests,
    failed: row.failed,
    cpu_time: row.cpuTime,
    db_ops: row.dbOps,
    api_ops: row.apiOps,
    in_bytes: row.inBytes,
    out_bytes: row.outBytes,
  };
}

function eventView(event: IntegrationEvent): ManagementSchemas['StatusEvent'] {
  return {
    account_id: event.accountId,
    integration_id: event.integrationId,
    created_at: event.createdAt.toISOString(),
    status: event.status,
    ...(event.error === null ? {} : { error: event.error }),
    request: event.request,
    ...(event.requestId === null ? {} : { request_id: event.requestId }),
  };
}
