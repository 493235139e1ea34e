import { ApiError } from '#contract';
import { passingStatuses } from '#egress';
import type { Limits, Value } from '@onefold/mapping';
import {
  type CompiledCall,
  type CompiledProvider,
  type CompiledStep,
  evaluateTemplate,
} from '#provider-document';
import {
  FileBody,
  multipartBody,
  pairs,
  type ProviderRequest,
  type SendOptions,
  type UploadedFile,
  writeBody,
} from '#provider-http';

/** A request of a document: a step of an operation, or a call of `verify` and the like. */
export type RequestStep = CompiledCall & Partial<CompiledStep>;

interface RequestParts {
  provider: CompiledProvider;
  /** `this` of its expressions. */
  input: Value;
  limits: Limits | undefined;
  /** The file of the upload, for the step that sends it. */
  file: UploadedFile | undefined;
  /** The header Range of the caller's request. */
  range: string | undefined;
}

/** Computes headers and body of a request from the document, then its address. @throws ApiError */
export function buildRequest(
  step: RequestStep,
  addressOf: () => URL,
  parts: RequestParts,
): ProviderRequest {
  const { provider, input, limits, file, range } = parts;
  const headers = headersOf(step, parts);
  const value = step.body && evaluateTemplate(step.body, input, `${step.place}.body`, limits);
  const written = step.sendsFile
    ? fileBody(step, value, file, provider.source.http.limits?.stream_bytes)
    : value === undefined
      ? undefined
      : writtenBody(step, value);
  headers['user-agent'] ??= 'onefold';
  if (step.answer === 'stream' && range !== undefined) headers['range'] ??= range;
  if (written?.type !== undefined) headers['content-type'] ??= written.type;
  return {
    method: step.method,
    url: addressOf(),
    headers,
    secretHeaders: [],
    ...(written === undefined ? {} : { body: written.body }),
    ...(step.sendsFile ? {} : { writeBody: (put) => writtenBody(step, put(value)) }),
    answer: step.answer ?? 'json',
    accept: step.accept ?? new Set(),
    repeatable: step.repeatable ?? step.method === 'GET',
  };
}

/** Returns the headers of all requests of the document with those of the step, which win. */
function headersOf(
  step: RequestStep,
  { provider, input, limits }: RequestParts,
): Record<string, string> {
  const common =
    provider.headers && evaluateTemplate(provider.headers, input, 'http.headers', limits);
  const own =
    step.headers && evaluateTemplate(step.headers, input, `${step.place}.headers`, limits);
  const headers: Record<string, string> = {};
  for (const some of [common, own])
    if (some !== undefined)
      for (const [name, value] of pairs(some)) headers[name.toLowerCase()] = value;
  return headers;
}

function fileBody(
  { place, part }: RequestStep,
  value: Value,
  file: UploadedFile | undefined,
  maxStreamBytes: number | undefined,
): { body: FileBody; type: string } {
  if (file === undefined) throw new ApiError(502, `there is no file for ${place}`, {});
  file.checkSize(maxStreamBytes);
  const body =
    part === undefined
      ? new FileBody(file, file.type, maxStreamBytes)
      : multipartBody(file, part, pairs(value), maxStreamBytes);
  return { body, type: body.type };
}

function writtenBody(step: RequestStep, value: Value) {
  try {
    return writeBody(value, step.encoding ?? 'json');
  } catch (cause) {
    throw new ApiError(
      502,
      `the provider document failed at ${step.place}.body: ${String(cause)}`,
      {
        cause,
      },
    );
  }
}

/** True for a POST that does no harm when it is sent twice, such as a query of GraphQL. */
export function isQuery({ method, repeatable }: RequestStep): boolean {
  return method === 'POST' && repeatable === true;
}

/** Returns how often, and after what, a document lets its requests be repeated. */
export function retryOf({ retry }: CompiledProvider['source']['http']): SendOptions['retry'] {
  return {
    attempts: retry?.attempts ?? 3,
    statuses: retry?.statuses ?? passingStatuses,
    resets: retry?.resets ?? [],
  };
}
