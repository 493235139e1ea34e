import {
  type BodyFields,
  bodyFields,
  type Operation,
  type OperationId,
  operationOf,
} from '#contract';
import { parsePointer } from '#patch';
import { maskTokens } from '#secrets';

const secret = '[secret]';
const unaudited = '[not kept]';
const maxTextLength = 1_000;
const maxItems = 100;
const maxDepth = 20;
const maxBodyLength = 32_768;
/** Matches the names of fields that are masked in free-form objects. */
const namedLikeSecrets =
  /(?:secret|password|passphrase|private_?key|api_?key|access_?key|integrator_key|token|authorization)s?$/i;

/** Returns the request body as the audit trail stores it: without secrets and customers' records, and shortened. */
export function redactBody(operation: Operation, body: unknown): unknown {
  if (body === undefined) return undefined;
  if (isPatchWithSecrets(operation) && Array.isArray(body))
    return shortened(shorten(body.map((step: unknown) => redactStep(operation, step))));
  const known = keepKnown(body, bodyFields(operation.id) ?? {});
  const replace = (rest: unknown, pointers: readonly string[], by: string) =>
    pointers.reduce((one, pointer) => replaceAt(one, parsePointer(pointer) ?? [], by), rest);
  const marked = replace(replace(known, operation.secrets, secret), operation.unaudited, unaudited);
  return shortened(shorten(marked));
}

function shortened(kept: unknown): unknown {
  const length = JSON.stringify(kept).length;
  return length <= maxBodyLength ? kept : { omitted: `a body of ${length} characters` };
}

/** Every value of the steps of such a patch may be a secret, as far as the contract can say. */
function isPatchWithSecrets({ method, secrets }: Operation): boolean {
  return method === 'PATCH' && secrets.includes('/*/value');
}

/**
 * Keeps of a step what would be kept of the whole record: the value is looked at in its place of the record, by the operation that replaces
 * the record. What is a secret there, or unknown to the contract, is one here.
 */
function redactStep(patch: Operation, step: unknown): unknown {
  const [kept] = keepKnown([step], bodyFields(patch.id) ?? {}) as [Record<string, unknown>];
  if (typeof kept !== 'object' || !('value' in kept)) return kept;
  const { path, value } = kept;
  const tokens = typeof path === 'string' ? parsePointer(path) : undefined;
  const replace = operationOf(patch.id.replace(/_patch$/, '_update') as OperationId);
  if (tokens === undefined || tokens.length === 0) return { ...kept, value: secret };
  const record = tokens.reduceRight<unknown>((inner, token) => ({ [token]: inner }), value);
  let redacted = redactBody(replace, record);
  for (const token of tokens) {
    const isThere =
      typeof redacted === 'object' && redacted !== null && Object.hasOwn(redacted, token);
    if (!isThere) return { ...kept, value: secret };
    redacted = (redacted as Record<string, unknown>)[token];
  }
  return { ...kept, value: redacted };
}

/** Keeps the fields that the contract knows: it ignores others, and they may hold a secret under a wrong name. */
function keepKnown(value: unknown, fields: BodyFields): unknown {
  if (fields === true || value === null) return value;
  if (typeof value !== 'object') return secret; // A text in place of an object may hold secrets.
  const rest = fields['*'];
  if (Array.isArray(value))
    return rest === undefined ? [] : value.map((one) => keepKnown(one, rest));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : rest;
      return field === undefined ? [] : [[key, keepKnown(one, field)]];
    }),
  );
}

/** Replaces the values that a pattern selects; `*` matches any key or index. */
function replaceAt(value: unknown, [token, ...rest]: readonly string[], by: string): unknown {
  if (token === undefined) return value === null || value === undefined ? value : by;
  if (typeof value !== 'object' || value === null) return value;
  const wanted = (key: string) => token === '*' || key === token;
  if (Array.isArray(value))
    return value.map((one: unknown, index) =>
      wanted(String(index)) ? replaceAt(one, rest, by) : one,
    );
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, wanted(key) ? replaceAt(one, rest, by) : one]),
  );
}

function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return short(maskTokens(value));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, maxItems).map((one) => shorten(one, depth + 1));
    return value.length > maxItems ? [...kept, `… of ${value.length}`] : kept;
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxItems)
      .map(([key, one]) => [
        short(maskTokens(key)),
        typeof one === 'string' && namedLikeSecrets.test(key) ? secret : shorten(one, depth + 1),
      ]),
  );
}

function short(text: string): string {
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength)}… of ${text.length} characters`;
}
