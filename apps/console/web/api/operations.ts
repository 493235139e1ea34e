import type { OperationId } from '#contract';
import rows from '../../../../libs/contract/src/generated/sent-operations.json';

/** How an operation is sent, and what its caller has to be permitted. */
export interface SentOperation {
  id: OperationId;
  method: string;
  /** `/v1/accounts/{accountId}` */
  path: string;
  /** `accounts.get`; empty if no permission is needed. */
  permission: string;
}

/** Operations of the management API that anybody may call. */
const ofAnybody = /^(?:auth|capabilities|connect|meta|tokens)_/;

const table = new Map(
  rows.map(([id = '', method = '', path = '', permission = '']) => [
    id,
    { id: id as OperationId, method, path, permission },
  ]),
);

/** @throws Error for an operation that the contract does not have */
export function operationOf(id: OperationId): SentOperation {
  const found = table.get(id);
  if (found === undefined) throw new Error(`${id} is not an operation of this version`);
  return found;
}

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, string | number | readonly string[] | undefined>;
  /** A text is sent as it is, other values as JSON. */
  body?: unknown;
  /** Makes a create that is sent twice create one record. */
  idempotencyKey?: string;
}

/** Returns path and query of a request. @throws Error if a path parameter is missing */
export function addressOf({ id, path }: SentOperation, { path: given = {}, query = {} }: Input) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name];
    if (value === undefined) throw new Error(`${id} needs the path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Operations of the connector API that a provider of a domain can offer. */
export function operationsOfDomain(domain: string): OperationId[] {
  return [...table.keys()].filter((id) => id.startsWith(`${domain}_`)) as OperationId[];
}

/** True if a domain has operations that integrations can demand confirmations for. */
export function hasDangers(domain: string): boolean {
  return rows.some(([id, , , , , mark]) => mark === 'dangerous' && id?.startsWith(`${domain}_`));
}

/** Operations of the connector API: they are called by tokens of integrations, and need no permission. */
export const connectorOperations: readonly SentOperation[] = [...table.values()].filter(
  ({ id, permission }) => permission === '' && !ofAnybody.test(id),
);

/** Operations of the management API that need a permission, in the order of the contract. */
export const managementOperations: readonly SentOperation[] = [...table.values()].filter(
  ({ permission }) => permission !== '',
);

/** Finds the operation of a method and a path without its search; one without parameters in its path wins. */
export function operationAt(method: string, path: string): SentOperation | undefined {
  const parts = path.split('/');
  const isAt = (one: SentOperation) => {
    const wanted = one.path.split('/');
    return (
      one.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, index) => part.startsWith('{') || part === parts[index])
    );
  };
  const found = [...table.values()].filter(isAt);
  return found.find((one) => one.path === path) ?? found[0];
}
