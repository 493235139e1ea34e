import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';
import type { Agent } from 'undici';
import { createDispatcher } from '#egress';
import { ManagementContext } from '#management/shared';
import type { SsoConfiguration } from '#store';
import { oidcOf } from './configuration-record.js';
import { OidcProvider } from './oidc-provider.js';
import { outgoingFetch } from './outgoing-fetch.js';
import { SsoOptions } from './sso-options.js';

/** The OpenID Connect providers of configurations, all called through one pool of connections. */
@Injectable()
export class OidcProviders implements OnApplicationShutdown {
  private readonly dispatcher: Agent;
  private readonly fetch: CustomFetch;

  constructor(
    private readonly context: ManagementContext,
    { egress }: SsoOptions,
  ) {
    this.dispatcher = createDispatcher(egress, { connections: 8 });
    this.fetch = outgoingFetch(this.dispatcher);
  }

  of(record: SsoConfiguration): OidcProvider {
    const secret = this.context.sealer.open(record.organizationId, record.sealed ?? '');
    return new OidcProvider(oidcOf(record), secret, this.fetch);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}
