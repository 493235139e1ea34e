import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';
import type { Agent } from 'undici';
import { createDispatcher, type EgressPolicy, outgoingFetch } from '#egress';
import { ManagementContext } from '#management/core';
import { Secret } from '#secrets';
import type { SsoConfiguration } from '#store';
import { oidcOf, samlOf } from './configuration-record.js';
import { oidcSettings, type WantedConfiguration } from './configuration-settings.js';
import type { OidcProvider } from './oidc-provider.js';
import { PublishedCertificates } from './published-certificates.js';
import type { SamlProvider } from './saml-provider.js';
import { SsoOptions } from './sso-options.js';

/**
 * Clients of the identity providers, with one pool of connections. The code of a protocol is loaded by its first
 * sign-on, because few installations use it.
 */
@Injectable()
export class IdentityProviders implements OnApplicationShutdown {
  private readonly dispatcher: Agent;
  private readonly fetch: CustomFetch;
  private readonly certificates: PublishedCertificates;

  constructor(
    private readonly context: ManagementContext,
    { egress }: SsoOptions,
  ) {
    this.dispatcher = createDispatcher(egress, { connections: 8 });
    this.fetch = outgoingFetch(this.dispatcher);
    this.certificates = new PublishedCertificates(this.fetch, context.clock);
  }

  async oidc(record: SsoConfiguration): Promise<OidcProvider> {
    const { OidcProvider } = await import('./oidc-provider.js');
    const secret = this.context.sealer.open(record.organizationId, record.sealed ?? '');
    return new OidcProvider(oidcOf(record), secret, this.fetch);
  }

  /** Asks the issuer of a configuration whether it is one; SAML has no such question. @throws ApiError 400 */
  async check(wanted: WantedConfiguration, egress: EgressPolicy): Promise<void> {
    if (wanted.type === 'saml') return;
    const { OidcProvider } = await import('./oidc-provider.js');
    const settings = oidcSettings(wanted, egress);
    await new OidcProvider(settings, new Secret(''), this.fetch).check();
  }

  async saml(record: SsoConfiguration, acsUrl: string): Promise<SamlProvider> {
    const { SamlProvider } = await import('./saml-provider.js');
    return new SamlProvider(samlOf(record), acsUrl, this.certificates);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}
