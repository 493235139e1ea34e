import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { type Call, type ManagementSchemas, notFound, type Reply } from '#contract';
import { isId } from '#config';
import { ManagementContext, readTimeOrder } from '#management/core';
import { kinds, type ListQuery, listQuery, type Reader, type RequestRecord } from '#store';

const maxListed = 500;

/** `/v1/requests`: calls of the connector API, as connectors logged them. */
@Controller()
export class RequestsHandlers {
  constructor(private readonly context: ManagementContext) {}

  @Handles('requests_list')
  async list(call: Call<'requests_list'>): Promise<Reply<'requests_list'>> {
    const { order, limit, ...rest } = call.query;
    const query = listQuery(
      {
        ...rest,
        limit: Math.min(limit ?? 100, maxListed),
        order: [readTimeOrder(order, 'Calls are ordered by the time of their answer.')],
      },
      kinds.requestRecords.fields,
    );
    return await this.context.read(call, async (tx) => {
      const { rows } = await tx.requestRecords.list(query);
      return { result: rows.map(requestView) };
    });
  }

  @Handles('requests_get')
  async get(call: Call<'requests_get'>): Promise<Reply<'requests_get'>> {
    const { requestId } = call.path;
    return await this.context.read(call, async (tx) => {
      const found = isId(requestId)
        ? await tx.requestRecords.get(requestId)
        : await newestOf(tx, requestId);
      if (found === undefined) throw notFound('request', requestId);
      return { result: requestView(found) };
    });
  }
}

/** Finds the last call of a request: a job makes several, and clients may choose an id of their own twice. */
async function newestOf(tx: Reader, requestId: string): Promise<RequestRecord | undefined> {
  const newest: ListQuery = {
    filters: [],
    orders: [{ field: 'name', direction: 'desc' }],
    limit: 1,
    total: false,
  };
  const { rows } = await tx.requestRecords.list(newest, { requestId });
  return rows[0];
}

function requestView(row: RequestRecord): ManagementSchemas['RequestRecord'] {
  const { tokenId, provider, problem } = row;
  return {
    id: row.id,
    request_id: row.requestId,
    created_at: row.createdAt.toISOString(),
    account_id: row.accountId,
    integration_id: row.integrationId,
    ...(tokenId === null ? {} : { token_id: tokenId }),
    operation: row.operation,
    ...(provider === null ? {} : { provider }),
    dry_run: row.dryRun,
    status: row.status,
    duration: row.duration,
    in_bytes: row.inBytes,
    out_bytes: row.outBytes,
    mapping_chain: row.mappings,
    exchanges: row.exchanges,
    omitted_exchanges: row.omittedExchanges,
    ...(problem === null ? {} : { problem }),
  };
}
