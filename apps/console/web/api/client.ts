import { effect, signal } from '@preact/signals';
import type { OperationId, Problem, Result } from '#contract';
import { maskSecrets } from './mask.js';
import { addressOf, type Input, operationOf } from './operations.js';
import { RequestError, withoutResponse } from './request-error.js';
import { isRefused, session } from './session.js';
import { serviceOrigin } from './service.js';
import type { SentRequest } from './curl.js';

export { RequestError };

/** A request that this tab made. */
export interface LoggedRequest extends SentRequest {
  number: number;
  operation: OperationId;
  at: Date;
  /** Absent while the request runs; 0 if there was no response. */
  status?: number;
  ms?: number;
  requestId?: string;
}

const maxLogged = 200;
/** Requests of this tab, the newest first. */
export const requests = signal<readonly LoggedRequest[]>([]);
/** Permissions (`accounts.create`) that the service said are missing in this session. */
export const missingPermissions = signal<ReadonlySet<string>>(new Set());
effect(() => {
  if (session.value === undefined) missingPermissions.value = new Set();
});

/** Calls an operation like {@link callForText}. @throws RequestError */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Result<Id>> {
  return parsed<Id>(await callForText(id, input, signal));
}

/**
 * Calls an operation. When the session's token is refused, it waits until somebody has logged on again and repeats the request, so that
 * no form loses what was typed.
 * @throws RequestError
 */
export async function callForText(
  id: OperationId,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Response> {
  for (;;) {
    const token = session.peek()?.token;
    try {
      return await sendForText(id, input, token, signal);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { permission } = operationOf(id);
      if (error.problem.status === 403 && permission !== '')
        missingPermissions.value = new Set([...missingPermissions.peek(), permission]);
      if (error.problem.status !== 401 || token === undefined) throw error;
      await newToken(token, signal);
    }
  }
}

/** Sends a request once, with the given token. @throws RequestError */
export async function send<Id extends OperationId>(
  id: Id,
  input: Input,
  token?: string,
  signal?: AbortSignal,
): Promise<Result<Id>> {
  return parsed<Id>(await sendForText(id, input, token, signal));
}

function parsed<Id extends OperationId>({ text }: Response): Result<Id> {
  return (text === '' ? undefined : JSON.parse(text)) as Result<Id>;
}

/** A successful response, with its body as it was sent. */
export interface Response {
  status: number;
  ms: number;
  text: string;
  requestId?: string;
}

/** Like {@link send}, for who shows the body: parsing it would round large numbers. @throws RequestError */
export async function sendForText(
  id: OperationId,
  input: Input,
  token?: string,
  signal?: AbortSignal,
): Promise<Response> {
  const request = requestOf(id, input, token);
  const logged = log({
    ...request,
    operation: id,
    ...(request.body === undefined ? {} : { body: maskSecrets(request.body) }),
  });
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const { method, url, body } = request;
  const isRepeatable = input.idempotencyKey !== undefined;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const requestId = response.headers.get('x-request-id');
    const text = await response.text();
    const { status } = response;
    const ms = elapsed();
    const answered = { status, ms, ...(requestId === null ? {} : { requestId }) };
    logged(answered);
    if (response.ok) return { ...answered, text };
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    const problem = JSON.parse(text) as Problem;
    throw new RequestError(problem, id, Number.isFinite(wait) ? wait : undefined, isRepeatable);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    logged({ status: 0, ms: elapsed() });
    if (signal?.aborted) throw error;
    throw new RequestError(withoutResponse(error), id, undefined, isRepeatable);
  }
}

/** The request that an operation becomes, before it is sent. */
export function requestOf(id: OperationId, input: Input, token?: string): SentRequest {
  const operation = operationOf(id);
  return {
    method: operation.method,
    url: serviceOrigin() + addressOf(operation, input),
    isAuthorized: token !== undefined,
    isOfIntegration: token?.startsWith('ofi_') === true,
    ...(input.body === undefined
      ? {}
      : { body: typeof input.body === 'string' ? input.body : JSON.stringify(input.body) }),
  };
}

/** Resolves when the session has another token than the refused one. */
function newToken(refused: string, signal?: AbortSignal): Promise<void> {
  // A request that began before the last logon may be refused after it.
  if (session.peek()?.token === refused) isRefused.value = true;
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const token = session.value?.token;
      if (token === refused) return;
      queueMicrotask(() => stop());
      if (token === undefined) reject(new DOMException('the session ended', 'AbortError'));
      else resolve();
    });
    signal?.addEventListener('abort', () => {
      stop();
      reject(new DOMException('the request was cancelled', 'AbortError'));
    });
  });
}

let count = 0;
function log(request: Omit<LoggedRequest, 'number' | 'at'>) {
  const number = ++count;
  const one: LoggedRequest = { ...request, number, at: new Date() };
  requests.value = [one, ...requests.peek()].slice(0, maxLogged);
  return (outcome: Pick<LoggedRequest, 'status' | 'ms' | 'requestId'>) => {
    requests.value = requests
      .peek()
      .map((entry) => (entry.number === number ? { ...entry, ...outcome } : entry));
  };
}
