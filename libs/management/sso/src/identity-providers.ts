import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';
import type { Agent } from 'undici';
import { createDispatcher } from '#egress';
import { ManagementContext } from '#management/core';
import type { SsoConfiguration } from '#store';
import { oidcOf, samlOf } from './configuration-record.js';
import { OidcProvider } from './oidc-provider.js';
import { outgoingFetch } from './outgoing-fetch.js';
import { PublishedCertificates } from './published-certificates.js';
import { SamlProvider } from './saml-provider.js';
import { SsoOptions } from './sso-options.js';

/** The identity providers of configurations, all called through one pool of connections. */
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

  oidc(record: SsoConfiguration): OidcProvider {
    const secret = this.context.sealer.open(record.organizationId, record.sealed ?? '');
    return new OidcProvider(oidcOf(record), secret, this.fetch);
  }

  saml(record: SsoConfiguration, acsUrl: string): SamlProvider {
    return new SamlProvider(samlOf(record), acsUrl, this.certificates);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}
