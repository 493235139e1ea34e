import type { ManagementSchemas } from '#contract';
import { operationAt } from '../../api/operations.js';

export type AuditRecord = ManagementSchemas['Audit'];

/** A field with what it was and what it became. */
export interface Change {
  /** `/provider_config/url` */
  field: string;
  /** Undefined if no earlier record of the trail has it. */
  before: unknown;
  /** Undefined if the field was removed. */
  after: unknown;
}

interface PatchStep {
  op: string;
  path: string;
  value?: unknown;
}

type Kind = 'create' | 'replace' | 'patch' | 'delete' | 'other';

/** Tells what a call does to a record. */
export function kindOf({ method, path }: AuditRecord): Kind {
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH') return 'patch';
  if (method === 'PUT') return 'replace';
  const id = operationAt(method, path)?.id ?? '';
  return /_create(?:_|$)/.test(id) ? 'create' : 'other';
}

/** The filters for records about the same thing that are older; they tell what its fields were. */
export function filtersForEarlier(record: AuditRecord): string[] {
  const { path, created_at, integration_id: integration, account_id: account } = record;
  const common = [
    'method[in]POST,PUT,PATCH',
    'status[eq]succeeded',
    'audit_type[eq]API',
    `created_at[lt]${created_at}`,
  ];
  // Records that have an id of their own in the trail are found when a path has their name too.
  if (integration && path.startsWith('/v1/integrations/'))
    return [...common, `integration_id[eq]${integration}`, 'path[like]"/v1/integrations/%"'];
  if (account && path.startsWith('/v1/accounts/'))
    return [...common, `account_id[eq]${account}`, 'path[like]"/v1/accounts%"'];
  return [...common, `path[eq]${path}`];
}

/** Finds what a record of the trail changed. @param earlier records about the same thing, the newest first */
export function changesOf(record: AuditRecord, earlier: readonly AuditRecord[]): Change[] {
  let state: unknown;
  for (const one of earlier.toReversed()) state = applied(one, state);
  const kind = kindOf(record);
  if (kind === 'patch')
    return stepsOf(record).map(({ op, path, value }) => ({
      field: path,
      before: valueAt(state, tokensOf(path)),
      after: op === 'remove' ? undefined : value,
    }));
  const before = kind === 'replace' ? leavesOf(state) : new Map<string, unknown>();
  return [...leavesOf(record.body)]
    .filter(([field, after]) => JSON.stringify(before.get(field)) !== JSON.stringify(after))
    .map(([field, after]) => ({ field, before: before.get(field), after }));
}

function stepsOf({ body }: AuditRecord): PatchStep[] {
  if (!Array.isArray(body)) return [];
  return (body as PatchStep[]).filter(({ op }) => ['add', 'replace', 'remove'].includes(op));
}

/** Returns the fields that are known of the thing after a record. */
function applied(record: AuditRecord, state: unknown): unknown {
  const kind = kindOf(record);
  if (kind === 'create' || kind === 'replace') return structuredClone(record.body);
  if (kind !== 'patch') return state;
  const next: unknown = state ?? {};
  for (const { op, path, value } of stepsOf(record))
    put(next, tokensOf(path), op === 'remove' ? undefined : structuredClone(value));
  return next;
}

function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  let found = value;
  for (const token of tokens) {
    if (!isObject(found) || !Object.hasOwn(found, token)) return undefined;
    found = found[token];
  }
  return found;
}

/** Sets a value at a place, with the objects above it; undefined removes it. */
function put(root: unknown, tokens: readonly string[], value: unknown): void {
  let at = root;
  for (const token of tokens.slice(0, -1)) {
    if (!isObject(at)) return;
    const below: unknown = Object.hasOwn(at, token) ? at[token] : undefined;
    if (!isObject(below)) define(at, token, {});
    at = at[token];
  }
  const last = tokens.at(-1);
  if (!isObject(at) || last === undefined) return;
  if (Array.isArray(at) && last === '-') at.push(value);
  else if (value !== undefined) define(at, last, value);
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else Reflect.deleteProperty(at, last);
}

/** Bodies are those of anybody: a key such as `__proto__` is a key like others. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The values of an object that are not objects, by their place; lists are values. */
function leavesOf(value: unknown, field = ''): Map<string, unknown> {
  if (!isObject(value) || Array.isArray(value))
    return new Map(field === '' || value === undefined ? [] : [[field, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, one]) => [
      ...leavesOf(one, `${field}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ]),
  );
}
