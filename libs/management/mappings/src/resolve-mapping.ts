import type { ResolvedMapping } from '#bus';
import type { Reader } from '#store';

/** The mapping of the provider itself, in chains. */
export const builtInMapping = 'default:0';

/** Finds a mapping of a chain as connectors run it: the provider's own, or one of the organization by name or id. */
export async function resolveMapping(
  tx: Reader,
  reference: string,
): Promise<ResolvedMapping | undefined> {
  if (reference === builtInMapping) return { reference };
  const own = await tx.mappings.find(reference);
  return own && { reference: `${own.name}:${own.version}`, data: own.data };
}
