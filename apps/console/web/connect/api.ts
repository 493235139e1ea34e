import type { OperationId, Problem, Result } from '#contract';
import { addressOf, type Input, operationOf } from '../api/operations.js';
import { RequestError, withoutResponse } from '../api/request-error.js';

/** Calls an operation by the token of a session. @throws RequestError, with status 0 if the service did not respond */
export async function send<Id extends OperationId>(
  id: Id,
  token: string,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Result<Id>> {
  const operation = operationOf(id);
  try {
    const response = await fetch(addressOf(operation, input), {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new RequestError(answer as Problem, id);
    return answer as Result<Id>;
  } catch (error) {
    if (error instanceof RequestError || signal?.aborted) throw error;
    throw new RequestError(withoutResponse(error), id);
  }
}
