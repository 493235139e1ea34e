import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves } from '#bus';
import { localeOf } from '#contract';
import { ManagementContext } from '#management/core';
import { ProviderCatalogue } from '#providers';
import { wholeOrganization } from '#store';
import { type AnswerText, say } from './answer-words.js';
import { pendingAuthorization, readState } from './authorization-record.js';
import { applicationOf, AuthorizationServers } from './authorization-server.js';
import { authorizationIn } from './authorizations.handlers.js';
import { PageAddress } from './page-address.js';

type Call = InternalCalls['connect.authorization_page'];

/** Finds the provider's page of an authorization, for the browser that opens it. */
@Controller()
export class AuthorizationPageCall {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly servers: AuthorizationServers,
    private readonly pages: PageAddress,
  ) {}

  @Serves('connect.authorization_page')
  async page({ state, acceptLanguage }: Call['input']): Promise<Call['output']> {
    const language = localeOf(undefined, acceptLanguage);
    const location = await this.locationOf(state);
    const text: AnswerText =
      location === null ? { name: 'expired' } : { name: 'asked', host: new URL(location).host };
    return {
      location,
      isSecure: this.pages.isSecure,
      language,
      message: say(language, text),
      next: say(language, { name: 'goOn' }),
    };
  }

  private async locationOf(state: string): Promise<string | null> {
    const { store, sealer } = this.context;
    const named = readState(state);
    const organizationId = named && (await store.organizationOf(named.organizationId));
    if (named === undefined || organizationId === undefined) return null;
    const found = await store.read(wholeOrganization(organizationId), async (tx) => {
      const row = await pendingAuthorization(tx, named.secret, this.context.now());
      return row && { row, client: await tx.credentials.get(row.client_credential_id) };
    });
    const declared = found && authorizationIn(this.providers, found.row.provider);
    if (found === undefined || declared === undefined) return null;
    const { row, client } = found;
    const config = sealer.open(client.accountId ?? organizationId, client.sealed).reveal();
    const application = applicationOf(JSON.parse(config) as Record<string, unknown>, declared);
    const verifier = sealer.open(organizationId, row.sealed).reveal();
    const redirectUri = this.pages.callback();
    return await this.servers.page(application, declared, { state, redirectUri, verifier });
  }
}
