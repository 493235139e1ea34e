import type { ResolvedCredential, ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import { storedKind } from '#provider-document';
import type { OpenedCredential } from '#provider-http';
import type { Sealer, Secret } from '#secrets';
import type { CredentialRenewals } from './credential-renewals.js';

/**
 * Decrypted credentials, each kept no longer than its sealed text: an integration is resolved anew each minute. The process has the key of
 * the text in memory as well, and decrypting costs a call several microseconds.
 */
const opened = new WeakMap<object, Secret>();

/** The tools that open credentials. */
export interface CredentialParts {
  sealer: Sealer;
  clock: Clock;
  /** Renews granted tokens; without it they are used as they are. */
  renewals?: CredentialRenewals | undefined;
}

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
  parts: CredentialParts,
  integration: ResolvedIntegration,
  slot: string,
): OpenedCredential | undefined {
  const { sealer, clock } = parts;
  const { accountId, providerConfig, credentials } = integration;
  const place = slotOf(providerConfig, slot);
  if (place === null || place === undefined) return undefined;
  const id = place.value;
  const found = id !== undefined && Object.hasOwn(credentials, id) ? credentials[id] : undefined;
  if (id === undefined || found === undefined)
    throw new ApiError(
      502,
      `the credential of the integration in ${slot} does not exist any more`,
      {
        remediation: `Set provider_config.${slot} of the integration again.`,
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
  if (config['type'] !== 'bridge') {
    const renewal = renewalOf(parts, integration, id, found, config);
    return { id, kind: String(config['type']), config, isStored, ...(renewal && { renewal }) };
  }
  // The reference says which kind it is: token_id, basic_id, …
  const name = (place.type ?? '').replace(/_id$/, '');
  const kind = storedKind(name) ?? name;
  return { id, kind, config: {}, isStored, atHome: String(config['name']) };
}

/** How a granted token is renewed; undefined for a secret that somebody stored. */
function renewalOf(
  parts: CredentialParts,
  integration: ResolvedIntegration,
  id: string,
  { renewal }: ResolvedCredential,
  config: Record<string, unknown>,
): OpenedCredential['renewal'] {
  const { renewals, clock, sealer } = parts;
  if (renewals === undefined || renewal === undefined) return undefined;
  const { organizationId, accountId } = integration;
  return {
    isDue: renewal.dueAt !== null && Date.parse(renewal.dueAt) <= clock.now(),
    renew: async (isRefused) => {
      const refused = isRefused ? String(config['secret']) : undefined;
      const made = await renewals.renew(organizationId, id, renewal.ticket, refused);
      const renewed = JSON.parse(sealer.open(accountId, made.sealed).reveal()) as typeof config;
      const next = renewalOf(parts, integration, id, made, renewed);
      return { id, kind: String(renewed['type']), config: renewed, ...(next && { renewal: next }) };
    },
  };
}
