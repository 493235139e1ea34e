import { type OperationId, operationOf, type Problem, type Result } from '#contract';
import type { Parts } from '../e2e/client.js';
import type { Request } from './over-provider.js';
import type { OverFake } from './over-fake.js';

/** Calls operations of a provider over its fake as the client of the HTTP API does, for walks that run without a service. */
export class MockClient {
  /** @param onCall called before each call that has to succeed */
  constructor(
    private readonly over: OverFake,
    private readonly onCall: (id: OperationId, request: Request) => Promise<void>,
  ) {}

  async call<Id extends OperationId>(id: Id, parts: Parts<Id> = {}): Promise<Result<Id>> {
    const request = requestOf(parts);
    await this.onCall(id, request);
    const { status, body } = await this.over.call(id, request);
    if (status !== operationOf(id).response.status)
      throw new Error(`${id} answered ${status}: ${JSON.stringify(body).slice(0, 1_000)}`);
    return body as Result<Id>;
  }

  async refuse<Id extends OperationId>(
    id: Id,
    expected: number,
    parts: Parts<Id> = {},
  ): Promise<Problem> {
    const { status, body } = await this.over.call(id, requestOf(parts));
    if (status !== expected)
      throw new Error(`${id} answered ${status}, not ${expected}: ${JSON.stringify(body)}`);
    return body as unknown as Problem;
  }
}

function requestOf({ path = {}, query = {}, body }: Parts<OperationId>): Request {
  const { meta, ...others } = query as Record<string, unknown> & { meta?: string[] };
  return {
    path: path,
    query: others,
    ...(body === undefined ? {} : { body }),
    ...(meta === undefined ? {} : { meta }),
  };
}
