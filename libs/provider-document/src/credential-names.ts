import { servedSchemas } from '#contract';
import { type CredentialKind, credentialKinds } from './source.js';

/** Names that configurations of the contract have for a kind, where they differ from that of the stored credential. */
const otherNames: Readonly<Record<string, CredentialKind>> = { webhook_url: 'secret' };

/** Returns the kind of the stored credential for a name in a configuration; undefined for a name of something else. */
export function storedKind(name: string): CredentialKind | undefined {
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  return credentialKinds.find((kind) => kind === name);
}

interface Schema {
  $ref?: string;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  discriminator?: { mapping?: Record<string, string> };
  const?: unknown;
}

/** Names of kinds by slot, such as `auth_options.shared_secret`. */
type Slots = ReadonlyMap<string, readonly string[]>;

let known: ReadonlyMap<string, Slots> | undefined;

/**
 * Names of the kinds that the contract accepts in a slot of a provider's configuration. Providers of one document share its kinds, of which
 * the contract may let one have fewer. A slot that the contract does not know has the names of the stored kinds.
 */
export function credentialNames(
  type: string,
  slot: string,
  kinds: readonly CredentialKind[],
): readonly string[] {
  known ??= readSlots();
  const accepted = known.get(type)?.get(slot);
  if (accepted === undefined) return kinds;
  return kinds.flatMap((kind) => accepted.filter((name) => storedKind(name) === kind));
}

function readSlots(): ReadonlyMap<string, Slots> {
  const schemas = servedSchemas<Schema>('management');
  const found = Object.entries(schemas).filter(([name]) => name.startsWith('ProviderConfig_'));
  return new Map(
    found.map(([, schema]) => {
      const slots = new Map<string, readonly string[]>();
      for (const [name, one] of Object.entries(schema.properties ?? {}))
        collectSlots(schemas, one, name, slots);
      return [String(schema.properties?.['type']?.const), slots];
    }),
  );
}

/** Collects the slots at a path of a configuration and within it. */
function collectSlots(
  schemas: Readonly<Record<string, Schema>>,
  given: Schema,
  path: string,
  slots: Map<string, readonly string[]>,
): void {
  const schema = schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given;
  const names = Object.keys(schema.discriminator?.mapping ?? {}).filter(
    (name) => storedKind(name) !== undefined,
  );
  if (names.length > 0) {
    // Another shape of the configuration may have other kinds in the same place.
    slots.set(path, [...new Set([...(slots.get(path) ?? []), ...names])]);
    return;
  }
  for (const shape of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    collectSlots(schemas, shape, path, slots);
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    collectSlots(schemas, one, `${path}.${name}`, slots);
}
