import { Controller } from '@nestjs/common';
import { type GrantRevoked, type InternalCalls, Serves } from '#bus';
import { notFound } from '#contract';
import { ManagementContext } from '#management/core';
import { findRevocation, type GrantRevocation } from '#outbox';
import { ProviderCatalogue } from '#providers';
import { grantQueries, wholeOrganization } from '#store';
import { applicationOf } from './authorization-server.js';
import { authorizationIn } from './authorizations.handlers.js';
import { revocationAddress, TokenRevocations } from './token-revocations.js';

type Input = InternalCalls['credentials.revoke']['input'];

/** Gives granted tokens back to providers, for the worker, which has neither the keys nor the secret of the host's application. */
@Controller()
export class RevokeGrantCall {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly revocations: TokenRevocations,
  ) {}

  @Serves('credentials.revoke')
  async revoke({ organizationId, id }: Input): Promise<GrantRevoked> {
    const { store } = this.context;
    const found = await store.read(wholeOrganization(organizationId), async (tx) => {
      const revocation = await findRevocation(tx, id);
      const { tokenHash } = revocation ?? {};
      return (
        revocation && {
          revocation,
          isShared: !!tokenHash && (await grantQueries.exists(tx, tokenHash)),
        }
      );
    });
    if (found === undefined) throw notFound('revocation', id);
    const { revocation, isShared } = found;
    if (isShared) return { outcome: 'kept', reason: 'another credential has the same token' };
    return await this.giveBack(revocation);
  }

  private async giveBack(revocation: GrantRevocation): Promise<GrantRevoked> {
    const { provider, tokenOrigin } = revocation;
    const declared = authorizationIn(this.providers, provider);
    if (declared === undefined) return left('this service does not offer the provider any more');
    const how = declared.revocation;
    if (how === undefined || 'none' in how)
      return left(how?.none ?? 'the provider has no such address');
    if (revocation.application === null)
      return left('the application that it was granted to is gone');
    const config = this.open(revocation.application);
    const application = applicationOf(config, declared);
    if (new URL(application.tokenUrl).origin !== tokenOrigin)
      return left('the application has another token address now');
    const url = revocationAddress(how.url, application, declared, config);
    if (url === undefined)
      return left(
        'extra.revoke_url of the application, at the origin of its token_url, is missing',
      );
    const { secret } = this.open(revocation.credential);
    const tokens = {
      access: String(secret),
      refresh: revocation.refreshToken && this.reveal(revocation.refreshToken),
    };
    return await this.revocations.revoke(application, declared, { ...how, url }, tokens);
  }

  private open(of: { owner: string; sealed: string }): Record<string, unknown> {
    return JSON.parse(this.reveal(of)) as Record<string, unknown>;
  }

  private reveal({ owner, sealed }: { owner: string; sealed: string }): string {
    return this.context.sealer.open(owner, sealed).reveal();
  }
}

function left(reason: string): GrantRevoked {
  return { outcome: 'left', reason };
}
