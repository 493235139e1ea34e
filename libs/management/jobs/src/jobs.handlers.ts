import { Controller } from '@nestjs/common';
import { Bus, Handles } from '#bus';
import { badRequest, type Call, type Reply } from '#contract';
import { callIntegration, cancelJob, jobView, jobViews } from '#jobs';
import { fault, ManagementContext } from '#management/core';
import { parseInstant } from '#query';
import { kinds, type ListQuery, listQuery } from '#store';
import { executionView } from './job-views.js';

const maxExecutions = 500;

/**
 * `/v1/jobs`: the asynchronous operations of all integrations, and their runs. Those of an integration are created with `/v1/operations`.
 */
@Controller()
export class JobsHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly bus: Bus,
  ) {}

  @Handles('operations_list')
  async list(call: Call<'operations_list'>): Promise<Reply<'operations_list'>> {
    const query = jobsQuery(call.query);
    return await this.context.read(call, async (tx) => {
      const { rows } = await tx.operations.list(query);
      return { result: await jobViews(tx, rows) };
    });
  }

  /** The connector of the integration creates it, as for a token of the integration: it can check operation, filters and schedule. */
  @Handles('operations_create_job')
  async create(call: Call<'operations_create_job'>): Promise<Reply<'operations_create_job'>> {
    const { integration_id: id, ...request } = call.body;
    const integration = await this.context.read(call, (tx) => tx.integrations.find(id));
    if (integration === undefined)
      throw fault('/integration_id', 'is not the name or id of an integration', {
        value: id,
        remediation: 'GET /v1/integrations lists them.',
      });
    const body = Buffer.from(JSON.stringify(request));
    const { idempotencyKey, requestId } = call;
    const created = await callIntegration(this.bus, integration, 'created by a member', {
      operation: 'operations_create',
      body,
      idempotencyKey,
      requestId,
    });
    return JSON.parse(Buffer.from(created).toString()) as Reply<'operations_create_job'>;
  }

  @Handles('operations_get_job')
  async get(call: Call<'operations_get_job'>): Promise<Reply<'operations_get_job'>> {
    return await this.context.read(call, async (tx) => ({
      result: await jobView(tx, await tx.operations.get(call.path.operationId)),
    }));
  }

  @Handles('operations_cancel_job')
  async cancel(call: Call<'operations_cancel_job'>): Promise<Reply<'operations_cancel_job'>> {
    await this.context.write(call, async (tx) => {
      const { id } = await tx.operations.get(call.path.operationId);
      await cancelJob(tx, id, this.context);
    });
    return undefined as Reply<'operations_cancel_job'>;
  }

  @Handles('operations_list_execution_history')
  async history(
    call: Call<'operations_list_execution_history'>,
  ): Promise<Reply<'operations_list_execution_history'>> {
    const query = historyQuery(call.query);
    const { rows } = await this.context.read(call, (tx) => tx.operationExecutions.list(query));
    return { result: rows.map(executionView) };
  }
}

/** The rows are named by their ids, which pages start after. */
function jobsQuery({ order, ...rest }: Call<'operations_list'>['query']): ListQuery {
  const byName = order?.map((text) => text.replace(/^id(?=\[|$)/, 'name'));
  return listQuery({ ...rest, order: byName }, kinds.operations.fields);
}

/** The rows are named by the times of their starts; the newest come first by default. */
function historyQuery(query: Call<'operations_list_execution_history'>['query']): ListQuery {
  const { order, start_after: startAfter, limit, filter } = query;
  const read = listQuery(
    { limit: Math.min(limit ?? 100, maxExecutions), filter, order },
    kinds.operationExecutions.fields,
  );
  const ascending = order?.some((text) => /\[asc\]$/i.test(text.trim())) ?? false;
  return {
    ...read,
    filters: read.filters.map((one) =>
      one.field === 'execution_id' ? { ...one, field: 'id' } : one,
    ),
    orders: [{ field: 'name', direction: ascending ? 'asc' : 'desc' }],
    ...(startAfter ? { startAfter: instant(startAfter) } : {}),
  };
}

/** Returns a time as the rows store it, to the microsecond. @throws ApiError 400 */
function instant(text: string): string {
  const milliseconds = parseInstant(text);
  if (Number.isNaN(milliseconds))
    throw badRequest({
      location: 'query',
      pointer: 'start_after',
      message: 'is not a valid RFC 3339 time',
      remediation: 'Send started_at of the last run of the previous page.',
      value: text,
    });
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  return new Date(milliseconds).toISOString().replace('Z', `${micros.padEnd(3, '0')}Z`);
}
