import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import {
  type Call,
  type Caller,
  decide,
  type ManagementSchemas,
  operationOf,
  type Reply,
} from '#contract';
import { ManagementContext, readTimeOrder } from '#management/core';
import type { Sealer } from '#secrets';
import {
  kinds,
  listQuery,
  type Reader,
  type RecordedCall,
  requestBodyQueries,
  type RequestRecord,
} from '#store';
import { findRequest } from './find-request.js';

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
      const found = await findRequest(tx, requestId);
      const bodies = await bodiesOf(tx, call.caller, found, this.context.sealer);
      return { result: { ...requestView(found), ...(bodies && { bodies }) } };
    });
  }
}

/** Returns the bodies of a call; undefined if there are none, or the caller may not read them. */
async function bodiesOf(
  tx: Reader,
  caller: Caller,
  { id, accountId }: RequestRecord,
  sealer: Sealer,
): Promise<ManagementSchemas['RequestBodies'] | undefined> {
  const decision = decide(caller, operationOf('requests_replay'));
  if (!decision.allowed) return undefined;
  if ((await tx.limitedTo(decision.accounts).requestRecords.find(id)) === undefined)
    return undefined;
  const stored = await requestBodyQueries.find(tx, id);
  if (stored === undefined) return undefined;
  const { bodies } = JSON.parse(sealer.open(accountId, stored.sealed).reveal()) as RecordedCall;
  return { expires_at: stored.expires_at.toISOString(), ...bodies };
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
