import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import type { ProviderRequest } from '../provider-request.js';

/** A credential in a field of the body, with the names on the way to it; without a name the fields of an object. */
export interface BodyUse {
  send: 'body';
  name: string | undefined;
  value: Value;
}

/** Puts the credential into the body. A request that has none gets one, except GET. @throws ApiError 502 for a file */
export function withField(request: ProviderRequest, use: BodyUse): ProviderRequest {
  if (request.method === 'GET' && request.body === undefined) return request;
  if (request.writeBody === undefined)
    throw new ApiError(502, 'a credential cannot be put into the body of this request', {
      remediation: 'Write the body as json or form, or send the credential in a header.',
    });
  const fields = use.name === undefined ? use.value : nested(use.name.split('.'), use.value);
  if (!isFields(fields))
    throw new ApiError(502, 'the fields that the credential adds to the body are not an object', {
      remediation: 'Write the name of the field, or a value such as {"user": …, "password": …}.',
    });
  const { body, type } = request.writeBody((value) => merged(value, fields));
  const headers = type === undefined ? {} : { 'content-type': type };
  return { ...request, body, headers: { ...headers, ...request.headers } };
}

type Fields = Record<string, Value>;

function nested([name = '', ...below]: readonly string[], value: Value): Fields {
  return { [name]: below.length === 0 ? value : nested(below, value) };
}

function merged(value: Value, fields: Fields): Value {
  if (!isFields(value)) return fields;
  const added = Object.entries(fields).map(([name, one]): [string, Value] => [
    name,
    isFields(one) ? merged(value[name], one) : one,
  ]);
  return { ...value, ...Object.fromEntries(added) };
}

function isFields(value: Value): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
