import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { ApiError, type Call, offersProvider, type Reply } from '#contract';
import { fault, ManagementContext } from '#management/core';
import type { Manifest } from '#provider-document';
import { ProviderCatalogue } from '#providers';
import { type Account, type Credential, wholeOrganization } from '#store';
import {
  applicationOf,
  AuthorizationServers,
  type HostApplication,
} from './authorization-server.js';
import { authorizationOf, authorizationView, insertAuthorization } from './authorization-record.js';
import { PageAddress } from './page-address.js';

/** `/v1/connect/{accountId}/authorizations`: a person grants the host's application access to a provider. */
@Controller()
export class AuthorizationsHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly servers: AuthorizationServers,
    private readonly pages: PageAddress,
  ) {}

  @Handles('connect_begin_authorization')
  async begin(
    call: Call<'connect_begin_authorization'>,
  ): Promise<Reply<'connect_begin_authorization'>> {
    const { body, caller, path } = call;
    // First of all, so that an account of others is as unknown as one that is not there.
    const account = await this.context.read(call, (tx) => tx.accounts.get(path.accountId));
    const declared = authorizationIn(this.providers, body.provider);
    if (declared === undefined)
      throw fault('/provider', 'is not a provider that people can authorize an application at', {
        value: body.provider,
        remediation: 'Send its secret in provider_config instead.',
      });
    const credential = await this.applicationFor(call, account);
    const owner = credential.accountId ?? credential.organizationId;
    const config = this.context.sealer.open(owner, credential.sealed).reveal();
    this.context.recordEvent('secret_read', { data: { credential_id: credential.id } });
    const application = applicationOf(JSON.parse(config) as Record<string, unknown>, declared);
    checkOneServer(application, declared);
    const verifier = await this.servers.newVerifier();
    return await this.context.write(call, async (tx) => {
      const now = this.context.now();
      const wanted = {
        account_id: account.id,
        token_id: caller.tokenId,
        client_credential_id: credential.id,
        provider: body.provider,
        sealed: await this.context.seal(tx, caller.organizationId, verifier),
        token_origin: new URL(application.tokenUrl).origin,
      };
      const { row, state } = await insertAuthorization(tx, this.context.ids, wanted, now);
      return {
        result: {
          authorization: authorizationView(row, declared.credential, now),
          authorize_url: this.pages.begin(state),
        },
      };
    });
  }

  @Handles('connect_get_authorization')
  async get(call: Call<'connect_get_authorization'>): Promise<Reply<'connect_get_authorization'>> {
    const { path, caller } = call;
    return await this.context.read(call, async (tx) => {
      const account = await tx.accounts.get(path.accountId);
      const by = { accountId: account.id, tokenId: caller.tokenId };
      const row = await authorizationOf(tx, path.authorizationId, by);
      const place = authorizationIn(this.providers, row.provider)?.credential ?? 'credential';
      return { result: authorizationView(row, place, this.context.now()) };
    });
  }

  /**
   * Finds the application of the host: a credential of the integration point, which callers who are limited to some accounts cannot
   * see. @throws ApiError 400
   */
  private async applicationFor(
    { body, caller }: Call<'connect_begin_authorization'>,
    account: Account,
  ): Promise<Credential> {
    const { provider } = body;
    return await this.context.store.read(
      wholeOrganization(caller.organizationId),
      async (reader) => {
        const point = await reader.integrationPoints.find(body.integration_point_id);
        const providers = point?.environments[account.environment] ?? [];
        const isOutside =
          caller.connect !== undefined &&
          (caller.connect.integrationPointId !== point?.id ||
            !offersProvider(caller.connect, provider));
        if (point === undefined || point.builtIn || isOutside)
          throw fault('/integration_point_id', 'has no such provider for the caller', {
            value: body.integration_point_id,
            remediation: 'Use the integration point and a provider of the session.',
          });
        const scope = { integrationPointId: point.id, connector: point.connector, providers };
        if (!offersProvider(scope, provider))
          throw fault('/provider', `is not allowed by the integration point "${point.name}"`, {
            value: provider,
          });
        const found = await reader.credentials.find(provider, { ownerId: point.id });
        if (found?.configType === 'o_auth_client') return found;
        throw new ApiError(
          409,
          `the integration point "${point.name}" has no application at ${provider}`,
          {
            remediation: `The host stores client id and secret of its application as a credential of the integration point: POST /v1/credentials/${point.id} with the name ${provider} and the type o_auth_client.`,
          },
        );
      },
    );
  }
}

/**
 * Refuses an application whose codes come from the server of the document and go to another one: that could be the application of
 * somebody else, whose code and verifier its own token address would get. @throws ApiError 409
 */
function checkOneServer(
  { authorizeUrl, tokenUrl }: HostApplication,
  declared: NonNullable<Manifest['authorization']>,
): void {
  const origin = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);
  const isOwn = origin(tokenUrl) !== origin(declared.token_url);
  if (!isOwn || origin(tokenUrl) === origin(authorizeUrl)) return;
  throw new ApiError(409, 'the application gets codes of one server and sends them to another', {
    remediation:
      'Set extra.authorize_url of its credential to an address at the origin of its token_url, or leave token_url out.',
  });
}

/**
 * Returns how people authorize, as a built-in document declares it. Documents of an organization declare none: the secret of the host's application would go to the
 * address that the author of the document chooses.
 */
export function authorizationIn(
  providers: ProviderCatalogue,
  type: string,
): Manifest['authorization'] {
  return providers.manifests.find((manifest) => manifest.type === type)?.authorization;
}
