import { recordMembers } from '#contract';
import { type KnownMembers, parsePointer } from '#patch';
import { readsField } from '../records/customer-mapping.js';
import { findChain } from '../records/mapping-chain.js';
import type { OperationRun } from '../operation-run.js';

/**
 * Returns the members that a patch may write: those of the contract, and those that a mapping of the request reads. `unmapped` contains
 * what the provider has beyond the contract, so nothing is written from there unless a mapping does so.
 */
export function writableMembers(
  { integration, operation, offered }: OperationRun,
  patch: unknown,
): KnownMembers {
  const known = recordMembers(operation.id);
  if (known === true) return true;
  const { unmapped: _, ...members } = known;
  const own = findChain(integration, operation.id).flatMap(({ data }) => data ?? []);
  const isRead = (field: string) =>
    offered.readsField?.(field) === true || own.some((data) => readsField(data, field));
  const others = namedFields(patch).filter((name) => !Object.hasOwn(members, name) && isRead(name));
  return { ...members, ...Object.fromEntries(others.map((name) => [name, true as const])) };
}

/** Returns the fields at the top of the record that the operations of a patch name. */
function namedFields(patch: unknown): string[] {
  const steps = Array.isArray(patch) ? (patch as { path?: unknown }[]) : [];
  return steps.flatMap(({ path }) => {
    const [name] = (typeof path === 'string' ? parsePointer(path) : undefined) ?? [];
    return name === undefined ? [] : [name];
  });
}
