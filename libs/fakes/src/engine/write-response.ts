import { formatJson, type Value } from '@onefold/mapping';
import { ExpressionFailure, type Headers, textOf } from '../document/expressions.js';
import type { FakeDocument, Route } from '../document/fake-document.js';
import { type FakeFiles, isStoredFile } from '../state/fake-files.js';
import type { Checks } from './checks.js';
import type { ActiveFault } from './faults.js';
import { answerQuery } from './graphql.js';
import { FakeRefusal, type FakeResponse } from './messages.js';
import type { RequestScope } from './request-scope.js';

const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  text: 'text/plain',
  file: 'application/octet-stream',
} as const;

/** The response of a route. @throws ExpressionFailure */
export function writeResponse(
  document: FakeDocument,
  route: Route,
  scope: RequestScope,
  fault: ActiveFault | undefined,
  files: FakeFiles,
): FakeResponse {
  const status = route.status?.value(scope) ?? 200;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new ExpressionFailure(route.status?.place ?? route.key, 'it is not an HTTP status');
  const headers = {
    ...writeHeaders(document.headers, scope),
    ...writeHeaders(route.headers, scope),
    ...fault?.headers,
  };
  if (route.body === undefined) return { status, headers, body: new Uint8Array() };
  const made = route.body.run(scope) ?? null;
  const { asked } = scope;
  const answer = asked === undefined ? made : answerQuery(made, asked, route.body.place);
  const value = altered(answer, document, scope, fault);
  const type = route.type ?? mediaTypes[route.encoding];
  if (route.encoding === 'file')
    return fileResponse(value, files, {
      range: (scope.input['headers'] as Record<string, string>)['range'],
      status,
      headers: { 'content-type': type, ...headers },
      place: route.body.place,
    });
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: encode(value, route),
  };
}

/** The response that is a file, or a range of it. @throws FakeRefusal bad_range */
function fileResponse(
  value: Value,
  files: FakeFiles,
  given: {
    status: number;
    headers: Record<string, string>;
    range: string | undefined;
    place: string;
  },
): FakeResponse {
  const { place, status, headers: own } = given;
  const bytes = isStoredFile(value) ? undefined : bytesOf(value, place);
  const size = isStoredFile(value) ? value.size : (bytes?.length ?? 0);
  const range = status === 200 ? readRange(given.range, size) : undefined;
  if (range !== undefined && range.start >= size)
    throw new FakeRefusal('bad_range', `bytes */${size}`);
  const { start, end } = range ?? { start: 0, end: size };
  const headers = { ...own, 'accept-ranges': 'bytes' };
  const head = {
    status: range === undefined ? status : 206,
    headers:
      range === undefined
        ? headers
        : { ...headers, 'content-range': `bytes ${start}-${end - 1}/${size}` },
  };
  if (!isStoredFile(value))
    return { ...head, body: bytes?.subarray(start, end) ?? new Uint8Array() };
  const chunks = () => files.read(value.stored_file, start, end);
  return { ...head, body: new Uint8Array(), file: { size: end - start, chunks } };
}

/** Reads a header Range of one range; others are ignored, as RFC 9110 allows (14.2). */
function readRange(text = '', size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '')
    return Number(last) === 0
      ? { start: size, end: size }
      : { start: Math.max(0, size - Number(last)), end: size };
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  return Number(first) < size && end <= Number(first) ? undefined : { start: Number(first), end };
}

/** The response of a refused request. @throws ExpressionFailure */
export function writeRefusal(
  document: FakeDocument,
  refusal: FakeRefusal,
  scope: RequestScope,
  checks: Checks,
): FakeResponse {
  const error = checks.describe(refusal, scope);
  const look = checks.look(refusal.error);
  const { errors } = document;
  return scope.during({ error }, () => ({
    status: error.status,
    headers: {
      'content-type': errors.type,
      ...writeHeaders(document.headers, scope),
      ...writeHeaders(errors.headers, scope),
      ...writeHeaders(look.headers, scope),
    },
    body: writeBody((look.body ?? errors.body).run(scope) ?? null),
  }));
}

/** A text as it is, everything else as JSON. */
export function writeBody(value: Value): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : formatJson(value));
}

function altered(
  value: Value,
  document: FakeDocument,
  scope: RequestScope,
  fault: ActiveFault | undefined,
): Value {
  if (fault === undefined) return value;
  const drift = fault.template;
  if (drift !== undefined)
    return drift.run({ ...scope, input: value as RequestScope['input'] }, structuredClone(value));
  const own = document.faults.get(fault.kind)?.alter;
  if (own === undefined) return value;
  return scope.during({ response: value }, () => own.run(scope, structuredClone(value))) ?? null;
}

function encode(value: Value, { encoding, body }: Route): Uint8Array {
  const place = body?.place ?? '';
  if (encoding === 'json') return Buffer.from(formatJson(value));
  if (encoding === 'text') return bytesOf(value, place);
  if (!Array.isArray(value)) throw new ExpressionFailure(place, 'it is not a list');
  return Buffer.from(value.map((one) => `${formatJson(one)}\n`).join(''));
}

function bytesOf(value: Value, place: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value);
  throw new ExpressionFailure(place, 'it is not a text');
}

function writeHeaders(headers: Headers, scope: RequestScope): Record<string, string> {
  const written: Record<string, string> = {};
  for (const [name, query] of headers) {
    const value = query.value(scope);
    if (value !== null) written[name.toLowerCase()] = textOf(value);
  }
  return written;
}
