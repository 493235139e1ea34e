import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves } from '#bus';
import { ManagementContext } from '#management/core';
import { issueToken } from '#management/tokens';
import { wholeOrganization } from '#store';

/** A webhook lives until somebody deletes it. */
const lifetime = { text: '87600h', milliseconds: 87_600 * 3_600_000 };

type Input<Name extends keyof InternalCalls> = InternalCalls[Name]['input'];
type Output<Name extends keyof InternalCalls> = InternalCalls[Name]['output'];

/** Where the API is reached from outside. */
export abstract class PublicUrl {
  abstract get(): string;
}

/** Calls of connectors for webhooks at providers. */
@Controller()
export class HookCalls {
  constructor(
    private readonly context: ManagementContext,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Serves('hooks.issue_token')
  async issue({
    organizationId,
    integrationId,
  }: Input<'hooks.issue_token'>): Promise<Output<'hooks.issue_token'>> {
    return await this.context.store.write(wholeOrganization(organizationId), async (tx) => {
      const integration = await tx.integrations.get(integrationId);
      const { token, secrets } = await issueToken(this.context, tx, {
        ownerId: integration.id,
        ownerType: 'integration',
        memberId: null,
        accountId: integration.accountId,
        fullname: `Webhook of ${integration.name}`,
        tokenType: 'adhoc',
        ttl: lifetime,
        endsBy: null,
        accessOnly: true,
        hookOnly: true,
      });
      return { tokenId: token.id, secret: secrets.access };
    });
  }

  /** Revokes the token of a webhook; no error if it is gone. */
  @Serves('hooks.revoke_token')
  async revoke({ organizationId, tokenId }: Input<'hooks.revoke_token'>): Promise<null> {
    await this.context.store.write(wholeOrganization(organizationId), async (tx) => {
      const token = await tx.tokens.find(tokenId);
      if (token?.hookOnly !== true) return;
      await tx.tokens.delete(token);
    });
    return null;
  }

  @Serves('hooks.public_url')
  url(): Promise<Output<'hooks.public_url'>> {
    return Promise.resolve({ url: this.publicUrl.get() });
  }
}
