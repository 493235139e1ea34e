import { formatJson, type Value } from '#mapping';
import { ExpressionFailure, type Headers, textOf } from '../document/expressions.js';
import type { FakeDocument, Route } from '../document/fake-document.js';
import type { Checks } from './checks.js';
import type { ActiveFault } from './faults.js';
import type { FakeRefusal, FakeResponse } from './messages.js';
import type { RequestScope } from './request-scope.js';

const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  text: 'text/plain',
} as const;

/** The response of a route. @throws ExpressionFailure */
export function writeResponse(
  document: FakeDocument,
  route: Route,
  scope: RequestScope,
  fault: ActiveFault | undefined,
): FakeResponse {
  const status = route.status?.value(scope) ?? 200;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new ExpressionFailure(route.status?.place ?? route.key, 'it is not an HTTP status');
  const headers = {
    ...writeHeaders(document.headers, scope),
    ...writeHeaders(route.headers, scope),
  };
  if (route.body === undefined) return { status, headers, body: new Uint8Array() };
  const value = altered(route.body.run(scope) ?? null, document, scope, fault);
  const type = route.type ?? mediaTypes[route.encoding];
  return {
    status,
    headers: { 'content-type': type, ...headers },
    body: encode(value, route),
  };
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
  if (encoding === 'text') {
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return Buffer.from(value);
    throw new ExpressionFailure(place, 'it is not a text');
  }
  if (!Array.isArray(value)) throw new ExpressionFailure(place, 'it is not a list');
  return Buffer.from(value.map((one) => `${formatJson(one)}\n`).join(''));
}

function writeHeaders(headers: Headers, scope: RequestScope): Record<string, string> {
  const written: Record<string, string> = {};
  for (const [name, query] of headers) {
    const value = query.value(scope);
    if (value !== null) written[name.toLowerCase()] = textOf(value);
  }
  return written;
}
