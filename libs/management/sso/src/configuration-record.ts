import type { ManagementSchemas } from '#contract';
import type { EgressPolicy } from '#egress';
import { fault, type ManagementContext, recordView } from '#management/core';
import type { SsoConfiguration, Transaction } from '#store';
import {
  type OidcSettings,
  oidcSettings,
  readSecret,
  type SamlSettings,
  samlSettings,
  type WantedConfiguration,
} from './configuration-settings.js';

type Content = Pick<SsoConfiguration, 'protocol' | 'settings' | 'sealed'>;

/** A configuration in responses: without secrets and certificates. */
export function configurationView(record: SsoConfiguration): ManagementSchemas['SsoConfiguration'] {
  return {
    ...recordView(record),
    identity_provider: providerView(record),
    listed: record.listed,
  };
}

function providerView(record: SsoConfiguration): ManagementSchemas['IdPConfiguration'] {
  if (record.protocol === 'oidc') {
    const { issuer_url, client_id } = oidcOf(record);
    return { type: 'oidc', issuer_url, client_id };
  }
  const { idp_certificates: _certificates, ...shown } = samlOf(record);
  return { type: 'saml', ...shown };
}

export function oidcOf({ settings }: SsoConfiguration): OidcSettings {
  return settings as unknown as OidcSettings;
}

export function samlOf({ settings }: SsoConfiguration): SamlSettings {
  return settings as unknown as SamlSettings;
}

/**
 * Returns the stored form of a configuration.
 * @param old the record that is replaced; settings that the call leaves out are kept
 */
export async function contentOf(
  context: ManagementContext,
  tx: Transaction,
  egress: EgressPolicy,
  wanted: WantedConfiguration,
  old?: SsoConfiguration,
): Promise<Content> {
  if (wanted.type === 'saml') {
    const kept = old?.protocol === 'saml' ? samlOf(old).idp_certificates : undefined;
    const settings = samlSettings(wanted, egress, kept);
    return { protocol: 'saml', settings: { ...settings }, sealed: null };
  }
  const settings = oidcSettings(wanted, egress);
  const given = wanted.client_secret ?? undefined;
  // A secret that was given for one issuer is never sent to another.
  const kept =
    old?.protocol === 'oidc' && isSameOrigin(oidcOf(old).issuer_url, settings.issuer_url)
      ? old.sealed
      : null;
  if (given === undefined && kept === null)
    throw fault('/config/client_secret', 'is missing', {
      remediation: 'Send the client secret: none is stored for this issuer.',
    });
  const sealed =
    given === undefined ? kept : await context.seal(tx, tx.scope.organizationId, readSecret(given));
  return { protocol: 'oidc', settings: { ...settings }, sealed };
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

/** Returns the name of the identity provider itself: identities of another one are not valid for it. */
export function issuerOf(record: Pick<SsoConfiguration, 'protocol' | 'settings'>): string {
  const { issuer_url: issuer, idp_entity_id: entity } = record.settings as Partial<
    OidcSettings & SamlSettings
  >;
  return `${record.protocol} ${issuer ?? entity ?? ''}`;
}
