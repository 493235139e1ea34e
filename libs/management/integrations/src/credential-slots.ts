import { storedKind } from '#provider-document';

/**
 * A slot of a provider configuration holds a credential inline, `{type: 'basic', username, secret}`, or refers to a
 * stored one, `{type: 'basic_id', value: 'crd_…'}`. The places differ by provider (`credential`, `signing_credential`,
 * `api_config.credential`, …) and the two shapes do not, so slots are found by their shape.
 */
export type CredentialSlot =
  | { kind: 'inline'; path: string[]; twin: string; credentialType: string; config: InlineSecret }
  | { kind: 'stored'; path: string[]; twin: string; credentialType: string; reference: string };

/** An inline credential configuration. */
export type InlineSecret = { type: string } & Record<string, unknown>;

/** Finds every credential slot of a provider configuration, in document order. */
export function credentialSlots(config: unknown, path: string[] = []): CredentialSlot[] {
  if (typeof config !== 'object' || config === null) return [];
  const slot = path.length === 0 ? undefined : asSlot(config as Record<string, unknown>, path);
  if (slot) return [slot];
  return Object.entries(config).flatMap(([key, value]) => credentialSlots(value, [...path, key]));
}

/** The ids of the stored credentials that a provider configuration names. */
export function storedCredentials(config: unknown): string[] {
  return credentialSlots(config).flatMap((slot) => (slot.kind === 'stored' ? slot.reference : []));
}

function asSlot(value: Record<string, unknown>, path: string[]): CredentialSlot | undefined {
  const { type } = value;
  if (typeof type !== 'string') return undefined;
  const inline = storedKind(type);
  if (inline !== undefined)
    return {
      kind: 'inline',
      path,
      twin: `${type}_id`,
      credentialType: inline,
      config: { ...value, type: inline },
    };
  const stored = type.endsWith('_id') ? storedKind(type.slice(0, -3)) : undefined;
  if (stored === undefined || typeof value['value'] !== 'string') return undefined;
  return { kind: 'stored', path, twin: type, credentialType: stored, reference: value['value'] };
}

/** Copies the configuration with each given slot replaced by a reference to the stored credential of this id. */
export function fillSlots<T>(
  config: T,
  filled: readonly { slot: CredentialSlot; id: string }[],
): T {
  const copy = structuredClone(config);
  for (const { slot, id } of filled) {
    const [last, ...parents] = slot.path.toReversed();
    const parent = parents
      .toReversed()
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy);
    if (last !== undefined)
      (parent as Record<string, unknown>)[last] = { type: slot.twin, value: id };
  }
  return copy;
}
