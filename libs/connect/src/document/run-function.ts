import { ApiError, type CallAborts } from '#contract';
import type { CompiledTemplate, Value } from '@onefold/mapping';
import {
  type ClientCall,
  type ClientFunction,
  type ClientRequest,
  type CompiledCall,
  type CompiledStep,
  evaluateTemplate,
} from '#provider-document';
import type { SentResponse, UploadedFile } from '#provider-http';
import { signalOf } from './http-call.js';
import type { IntegrationHttp } from './integration-http.js';

/** Limits the provider calls that one call of ours can cause. Stores of objects take files in up to 10,000 parts. */
const maxRequests = 1_000;
const maxUploadRequests = 10_010;

/** Runs a step. @returns the response of its request, or the result of its function */
export function runStep(
  step: CompiledStep,
  context: Record<string, Value>,
  http: IntegrationHttp,
  signal: CallAborts,
  options: Parameters<IntegrationHttp['call']>[2],
): Promise<SentResponse> {
  const { run } = step;
  if (run === undefined) return http.call(step, context, options);
  return runFunction({ ...step, run }, context, http, signalOf(signal), options.file).then(
    (body) => ({ status: 200, headers: {}, body, text: '' }),
  );
}

/** @throws ApiError of a failed request, 502 if the function itself fails */
async function runFunction(
  step: CompiledStep & { run: ClientFunction },
  context: Record<string, Value>,
  http: IntegrationHttp,
  signal: AbortSignal,
  file: UploadedFile | undefined,
): Promise<Value> {
  const max = step.sendsFile ? maxUploadRequests : maxRequests;
  const seen = { config: http.config(), ...context };
  let sent = 0;
  const call: ClientCall = {
    input: step.body && evaluateTemplate(step.body, seen, `${step.place}.body`, http.limits),
    context: seen,
    signal,
    batchId: http.batchId,
    file: step.sendsFile && file ? http.clientFile(file) : undefined,
    send: async (request) => {
      sent += 1;
      if (sent > max) throw failed(step, `it sends more than ${max} requests`);
      const { status, headers, body } = await http.call(compiled(step, request), context, {
        primary: true,
        cleanUp: request.cleanUp,
        ...(request.timeout === undefined ? {} : { timeoutMs: request.timeout * 1000 }),
      });
      return { status, headers, body };
    },
    credential: (slot) => http.openedCredential(slot),
    hide: (secret) => http.hide(secret),
  };
  try {
    return await abortable(step.run(call), signal);
  } catch (cause) {
    if (cause instanceof ApiError || signal.aborted) throw cause;
    throw failed(step, 'it does not understand what it was given or what the provider sent', cause);
  }
}

function failed({ place }: CompiledStep, why: string, cause?: unknown): ApiError {
  return new ApiError(502, `the function at ${place} failed: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Ends waiting for the work when the signal aborts, so that a function that never ends does not block the call. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Makes a step of a function's request; its expressions are constants. */
function compiled(
  { place }: CompiledStep,
  request: ClientRequest,
): CompiledCall & Partial<CompiledStep> {
  const { method = 'GET', path = '', url, query, headers, body, credential } = request;
  return {
    place,
    input: undefined,
    method,
    path: () => path,
    query: query && constant(query),
    headers: headers && constant(headers),
    body: body === undefined ? undefined : constant(body),
    credential,
    url: url === undefined ? undefined : () => url,
    anonymous: request.anonymous ?? false,
    encoding: request.encoding ?? 'json',
    answer: request.answer ?? 'json',
    accept: new Set(request.accept),
    repeatable: request.repeatable ?? !['POST', 'PATCH'].includes(method),
  };
}

function constant(value: Value): CompiledTemplate {
  return {
    multiplies: false,
    mayRead: () => false,
    mayObserve: () => false,
    run: () => ({ root: value, metadata: {} }),
    applyTo: () => value,
  };
}
