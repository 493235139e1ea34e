import type { ManagementSchemas } from '#contract';

type Chain = ManagementSchemas['MappingChain'];
type PointChain = ManagementSchemas['MappingChainTemplate'];

/** The mapping of the provider itself. */
export const builtInMapping = 'default:0';

/** The chain of operations that nobody has given another. */
const builtIn = [builtInMapping];

/** The words for a mapping of a chain. */
export function nameOfMapping(reference: string): string {
  return reference === builtInMapping ? `built-in mapping (${reference})` : reference;
}

/** Chains of an integration, and those of its point, which hold where the integration has none. */
export interface Chains {
  own: readonly Chain[];
  ofPoint: readonly PointChain[];
  providerId: string;
}

/** Whether a chain of a point is for a provider: it names it, or is for all. */
export function isForProvider({ providers }: PointChain, providerId: string): boolean {
  return providers.some((id) => String(id) === '*' || id === providerId);
}

/** Names of the mappings that run for an operation, in their order. */
export function chainOf({ own, ofPoint, providerId }: Chains, operationId: string) {
  const isFor = (one: Chain) => one.operation_ids.includes(operationId);
  const inherited = ofPoint.find((one) => isFor(one) && isForProvider(one, providerId));
  return (own.find(isFor) ?? inherited)?.mappings ?? builtIn;
}

/**
 * Returns the chains of an integration with a mapping at the end of those of some operations. `replaced`, where a chain has it, gives its
 * place to the mapping. Other operations keep their chains.
 */
export function chainsWith(
  chains: Chains,
  operationIds: readonly string[],
  name: string,
  replaced?: string,
): Chain[] {
  const changed = new Set(operationIds);
  const kept = chains.own
    .map((one) => ({
      ...one,
      operation_ids: one.operation_ids.filter((id) => !changed.has(id)),
    }))
    .filter((one) => one.operation_ids.length > 0);
  const added = new Map<string, Chain>();
  for (const id of changed) {
    const before = chainOf(chains, id);
    const mappings = placed(before, name, replaced);
    const key = JSON.stringify(mappings);
    const same = added.get(key);
    if (same === undefined) added.set(key, { mappings, operation_ids: [id] });
    else same.operation_ids.push(id);
  }
  return [...kept, ...added.values()];
}

/** True if a reference of a chain, which may have a version, is to a mapping. */
export function isReference(reference: string, { id, name }: { id: string; name: string }) {
  return [id, name].includes(reference.replace(/:\d+$/, ''));
}

/**
 * Returns the chains of an integration without a reference to a mapping. A chain that is then empty, or that would run anyway, is left
 * out.
 */
export function chainsWithout(chains: Chains, reference: string): Chain[] {
  const inherited = { ...chains, own: [] };
  return chains.own
    .map((one) => ({ ...one, mappings: one.mappings.filter((name) => name !== reference) }))
    .map((one) => {
      const isNeeded = (id: string) => chainOf(inherited, id).join() !== one.mappings.join();
      return one.mappings.length === 0
        ? { ...one, operation_ids: [] }
        : { ...one, operation_ids: one.operation_ids.filter(isNeeded) };
    })
    .filter((one) => one.operation_ids.length > 0);
}

/** The chain with a name in the place of another, or at its end. */
export function placed(before: readonly string[], name: string, replaced?: string): string[] {
  if (before.includes(name)) return [...before];
  if (replaced === undefined || !before.includes(replaced)) return [...before, name];
  return before.map((one) => (one === replaced ? name : one));
}
