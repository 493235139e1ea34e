import { Controller } from '@nestjs/common';
import { type AuthorizationOutcome, type InternalCalls, Serves } from '#bus';
import { localeOf } from '#contract';
import { ManagementContext } from '#management/core';
import { insertCredential, insertGrant, insertRenewal } from '#management/credentials';
import { ProviderCatalogue } from '#providers';
import { type Credential, type Transaction, wholeOrganization } from '#store';
import { type AnswerText, say } from './answer-words.js';
import { applicationOf, AuthorizationServers, type Exchanged } from './authorization-server.js';
import {
  type Authorization,
  finishAuthorization,
  readState,
  takeAuthorization,
} from './authorization-record.js';
import { authorizationIn } from './authorizations.handlers.js';
import { PageAddress } from './page-address.js';
import { sessionOf } from './session-record.js';

type Input = InternalCalls['connect.authorization_answer']['input'];

/** One sentence for all: whether there is such an authorization, or organization, is nobody's to learn. */
const unknown: AnswerText = { name: 'expired' };

/** An authorization that nobody can answer any more, with what its answer needs. */
type Taken = Authorization & { client: Credential; locale: string | null | undefined };

/** Takes the answers that browsers bring from providers' authorization pages. */
@Controller()
export class AuthorizationAnswerCall {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly servers: AuthorizationServers,
    private readonly pages: PageAddress,
  ) {}

  @Serves('connect.authorization_answer')
  async answer({ search, browser, visit, acceptLanguage }: Input): Promise<AuthorizationOutcome> {
    const isBound = browser === 'secure' || (browser === 'same' && !this.pages.isSecure);
    // An answer that another browser brings counts as unknown, and the authorization goes on to wait for its own.
    const { status, text, locale } = await this.outcomeOf(isBound ? search : '', visit);
    const language = localeOf(locale, acceptLanguage);
    return { status, message: say(language, text), language };
  }

  private async outcomeOf(
    search: string,
    visit: Input['visit'],
  ): Promise<{
    status: AuthorizationOutcome['status'];
    text: AnswerText;
    locale?: Taken['locale'];
  }> {
    const refused = { status: 'refused', text: unknown } as const;
    const parameters = new URLSearchParams(search);
    const state = parameters.get('state');
    const named = readState(state);
    const organizationId = named && (await this.context.store.organizationOf(named.organizationId));
    if (named === undefined || organizationId === undefined) return refused;
    const { store } = this.context;
    const taken = await store.write(wholeOrganization(organizationId), (tx) =>
      this.take(tx, named.secret),
    );
    if (taken === undefined) return refused;
    // No transaction is open while the provider is asked: the row is taken, and nobody else can have it.
    const exchanged = await this.exchange(organizationId, taken, parameters, state ?? '');
    const text = await store.write(wholeOrganization(organizationId), (tx) =>
      this.finish(tx, taken, exchanged, visit),
    );
    return { status: exchanged.granted ? 'granted' : 'refused', text, locale: taken.locale };
  }

  /** An answer for a session that has ended is refused as an unknown one. */
  private async take(tx: Transaction, secret: string): Promise<Taken | undefined> {
    const now = this.context.now();
    const row = await takeAuthorization(tx, secret, now);
    if (row === undefined) return undefined;
    const token = await tx.tokens.find(row.token_id);
    if (token === undefined || token.expires <= now) return undefined;
    const client = await tx.credentials.get(row.client_credential_id);
    return { ...row, client, locale: sessionOf(token)?.locale };
  }

  private async exchange(
    organizationId: string,
    { client, provider, sealed }: Taken,
    parameters: URLSearchParams,
    state: string,
  ): Promise<Exchanged> {
    const declared = authorizationIn(this.providers, provider);
    if (declared === undefined) return { granted: false, reason: { name: 'notOffered' } };
    const { sealer } = this.context;
    const config = sealer.open(client.accountId ?? organizationId, client.sealed).reveal();
    const application = applicationOf(JSON.parse(config) as Record<string, unknown>, declared);
    const verifier = sealer.open(organizationId, sealed).reveal();
    const redirectUri = this.pages.callback();
    const answer = { parameters, state, redirectUri, verifier };
    return await this.servers.exchange(application, declared, answer, this.nameOf(provider));
  }

  private async finish(
    tx: Transaction,
    taken: Taken,
    exchanged: Exchanged,
    visit: Input['visit'],
  ): Promise<AnswerText> {
    const { id, account_id: accountId, client, provider, token_origin: tokenOrigin } = taken;
    const now = this.context.now();
    const data = { authorization_id: id, client_credential_id: client.id, provider };
    if (!exchanged.granted) {
      const message = say('en', exchanged.reason); // that of the API
      const refused = {
        status: 'refused',
        credential_id: null,
        missing_scopes: null,
        told: null,
      } as const;
      await finishAuthorization(tx, id, { ...refused, message }, now);
      const event = 'authorization_refused' as const;
      await this.context.recordVisit(tx, visit, { event, accountId, message, data });
      return exchanged.reason;
    }
    const { token, refreshToken, expiresInSeconds: seconds, missing, claimed } = exchanged;
    const fullname = this.nameOf(provider);
    const credential = await insertCredential(
      this.context,
      tx,
      { type: 'account', id: accountId, accountId },
      {
        fullname: `${fullname} (OAuth)`,
        config: { type: 'token', secret: token } as { type: string },
        // A token that is renewed does not end by itself.
        expires:
          seconds === undefined || refreshToken !== undefined
            ? null
            : new Date(now.getTime() + seconds * 1000).toISOString(),
        managed: false,
      },
    );
    const of = { provider, client_credential_id: client.id, token_origin: tokenOrigin };
    await insertGrant(tx, credential.id, of, token);
    if (refreshToken !== undefined)
      await insertRenewal(this.context, tx, credential, of, {
        refreshToken,
        expiresInSeconds: seconds,
      });
    const outcome = {
      credential_id: credential.id,
      missing_scopes: missing,
      told: claimed,
      message: null,
    };
    await finishAuthorization(tx, id, { status: 'granted', ...outcome }, now);
    await this.context.recordVisit(tx, visit, {
      accountId,
      data: { ...data, credential_id: credential.id },
    });
    return { name: 'connected', provider: fullname };
  }

  private nameOf(provider: string): string {
    const manifest = this.providers.manifests.find(({ type }) => type === provider);
    return manifest?.fullname ?? provider;
  }
}
