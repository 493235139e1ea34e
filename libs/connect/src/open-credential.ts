import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import type { OpenedCredential } from '#provider-http';
import type { Sealer, Secret } from '#secrets';

/**
 * Decrypted credentials, each kept no longer than its sealed text: an integration is resolved anew each second. The process has the key of
 * the text in memory as well, and decrypting costs a call several microseconds.
 */
const opened = new WeakMap<object, Secret>();

type Slot = { type?: string; value?: string } | null | undefined;

/** @param path names of fields, separated by dots */
function slotOf(config: unknown, path: string): Slot {
  let at = config;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at as Slot;
}

/**
 * The credential in a place of an integration's configuration.
 * @returns undefined when the place is empty
 * @throws ApiError 502 when the credential is gone or has expired
 */
export function openCredential(
  sealer: Sealer,
  clock: Clock,
  { accountId, providerConfig, credentials }: ResolvedIntegration,
  slot: string,
): OpenedCredential | undefined {
  const place = slotOf(providerConfig, slot);
  if (place === null || place === undefined) return undefined;
  const id = place.value;
  const found = id !== undefined && Object.hasOwn(credentials, id) ? credentials[id] : undefined;
  if (id === undefined || found === undefined)
    throw new ApiError(
      502,
      `the credential of the integration in ${slot} does not exist any more`,
      {
        remediation: `Set provider_config.${slot} of the integration anew.`,
      },
    );
  if (found.expires !== null && Date.parse(found.expires) <= clock.now())
    throw new ApiError(502, `the credential ${id} has expired`, {
      remediation: 'Replace its secret, and set expires to a later time or to null.',
      context: { resources: [{ type: 'credential', id, rel: 'cause' }] },
    });
  let secret = opened.get(found);
  if (secret === undefined) opened.set(found, (secret = sealer.open(accountId, found.sealed)));
  const config = JSON.parse(secret.reveal()) as Record<string, unknown>;
  const isStored = found.isStored ?? true;
  if (config['type'] !== 'bridge') return { id, kind: String(config['type']), config, isStored };
  // The reference says which kind it is: token_id, basic_id, …
  const kind = (place.type ?? '').replace(/_id$/, '');
  return { id, kind, config: {}, isStored, atHome: String(config['name']) };
}
