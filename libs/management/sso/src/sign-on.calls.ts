import { Controller } from '@nestjs/common';
import { type InternalCalls, Serves, type SignOnStep } from '#bus';
import { ApiError, notFound } from '#contract';
import { type LogonResult, signIn } from '#management/auth';
import { ManagementContext } from '#management/core';
import { organizationState } from '#management/organization';
import {
  type Member,
  signOnQueries,
  type SsoConfiguration,
  type Transaction,
  wholeOrganization,
} from '#store';
import { addressesOf, isSecure } from './addresses.js';
import type { Identity } from './identity.js';
import { IdentityProviders } from './identity-providers.js';
import { memberOfIdentity } from './member-of-identity.js';
import { createOidcSecrets, type OidcSecrets } from './oidc-secrets.js';
import { noSignOn } from './refusals.js';
import {
  closeSignOn,
  handOver,
  hashOf,
  insertSignOn,
  keepIdentity,
  newSignOnId,
  openSignOn,
  type SignOn,
  signOnOfCode,
} from './sign-ons.js';
import { SignOnTrail } from './sign-on-trail.js';
import { SsoOptions } from './sso-options.js';

type Input<Name extends keyof InternalCalls> = InternalCalls[Name]['input'];
type Output<Name extends keyof InternalCalls> = Promise<InternalCalls[Name]['output']>;

/**
 * Steps of members' sign-ons in their browsers. The state between two steps is in the database, because each step may
 * reach another replica.
 */
@Controller()
export class SignOnCalls {
  constructor(
    private readonly context: ManagementContext,
    private readonly options: SsoOptions,
    private readonly providers: IdentityProviders,
    private readonly trail: SignOnTrail,
  ) {}

  /** Begins a sign-on, and returns the address of the identity provider to redirect the browser to. */
  @Serves('sso.begin')
  async begin(input: Input<'sso.begin'>): Output<'sso.begin'> {
    const signOn = newSignOnId();
    const { sso, visit } = input;
    const organizationId = await this.context.store.organizationOf(input.organizationId);
    if (organizationId === undefined) throw notFound('single sign-on configuration', sso);
    const secrets = createOidcSecrets();
    const record = await this.write(organizationId, async (tx) => {
      const found = await tx.ssoConfigurations.get(sso);
      await this.checkEnabled(tx);
      const sealed =
        found.protocol === 'oidc'
          ? await this.context.seal(tx, organizationId, JSON.stringify(secrets))
          : null;
      const wanted = {
        id: signOn,
        ssoId: found.id,
        browserHash: hashOf(input.secret),
        remoteAddress: visit.remoteAddress,
        sealed,
        returnTo: input.returnTo,
        returnState: input.returnState,
      };
      await insertSignOn(tx, wanted, this.context.now());
      return found;
    });
    const addresses = this.addresses(organizationId);
    const location =
      record.protocol === 'oidc'
        ? await (await this.providers.oidc(record)).begin(signOn, addresses.redirectUri, secrets)
        : await (await this.providers.saml(record, addresses.acsUrl)).begin(signOn);
    return { signOn, location, secure: isSecure(this.options.publicUrl()) };
  }

  /** Takes the response of an OpenID Connect provider, in the browser that began the sign-on. */
  @Serves('sso.oidc_answer')
  async oidcAnswer(input: Input<'sso.oidc_answer'>): Output<'sso.oidc_answer'> {
    const { organizationId, signOn } = input;
    const { row, record } = await this.write(organizationId, async (tx) => {
      const found = await this.find(tx, signOn, 'oidc');
      if (found.row.browser_hash !== this.hashOfBrowser(input.browser)) throw noSignOn();
      await closeSignOn(tx, signOn, this.context.now());
      return found;
    });
    const answer = new URL(this.addresses(organizationId).redirectUri);
    answer.search = input.search;
    const secrets = this.context.sealer.open(organizationId, row.sealed ?? '').reveal();
    const provider = await this.providers.oidc(record);
    const identity = await this.trail.recordRefusals(input, () =>
      provider.answer(answer, signOn, JSON.parse(secrets) as OidcSecrets),
    );
    return await this.write(organizationId, async (tx) => ({
      location: this.finishAddress(organizationId, signOn, await this.keep(tx, signOn, identity)),
    }));
  }

  /**
   * Takes the response of a SAML identity provider. The provider's page posts it, so the browser sends its cookie only
   * with the next step.
   */
  @Serves('sso.saml_answer')
  async samlAnswer(input: Input<'sso.saml_answer'>): Output<'sso.saml_answer'> {
    const { organizationId, signOn, response } = input;
    const { record } = await this.write(organizationId, (tx) => this.find(tx, signOn, 'saml'));
    const provider = await this.providers.saml(record, this.addresses(organizationId).acsUrl);
    const identity = await this.trail.recordRefusals(input, () =>
      provider.answer(response, signOn, this.context.clock.now()),
    );
    return await this.write(organizationId, async (tx) => {
      await closeSignOn(tx, signOn, this.context.now());
      return {
        location: this.finishAddress(organizationId, signOn, await this.keep(tx, signOn, identity)),
      };
    });
  }

  /**
   * Finishes the sign-on in the browser that began it: with a session, or with a code for the page that requested the
   * sign-on.
   */
  @Serves('sso.finish')
  async finish(input: Input<'sso.finish'>): Output<'sso.finish'> {
    return await this.withMember(
      input,
      this.hashOfBrowser(input.browser),
      async (tx, row, member) =>
        row.return_to === null
          ? { logon: { result: await this.session(tx, input, row, member) } }
          : { location: await this.returnAddress(tx, row) },
    );
  }

  /** Creates the session for a page that has a code. */
  @Serves('sso.exchange')
  async exchange(input: Input<'sso.exchange'>): Output<'sso.exchange'> {
    // By id or name, as a sign-on begins: a logon page knows what somebody has typed.
    const organizationId = await this.context.store.organizationOf(input.organizationId);
    if (organizationId === undefined) throw noSignOn();
    const step = { ...input, organizationId };
    return await this.withMember(step, '', async (tx, row, member) => ({
      result: await this.session(tx, step, row, member),
    }));
  }

  @Serves('sso.saml_metadata')
  async samlMetadata({ organizationId }: Input<'sso.saml_metadata'>): Output<'sso.saml_metadata'> {
    const { serviceProviderMetadata } = await import('./saml-provider.js');
    return { xml: serviceProviderMetadata(this.addresses(organizationId)) };
  }

  private async find(
    tx: Transaction,
    signOn: string,
    protocol: SsoConfiguration['protocol'],
  ): Promise<{ row: SignOn; record: SsoConfiguration }> {
    const row = await openSignOn(tx, signOn, this.context.now());
    const record = await tx.ssoConfigurations.get(row.sso_id);
    if (record.protocol !== protocol) throw noSignOn();
    return { row, record };
  }

  /** Runs the last step with the member whose identity belongs to the code. */
  private async withMember<T>(
    input: SignOnStep & { code: string },
    browserHash: string,
    work: (tx: Transaction, row: SignOn, member: Member) => Promise<T>,
  ): Promise<T> {
    const now = this.context.now();
    return await this.trail.recordRefusals(input, () =>
      this.write(input.organizationId, async (tx) => {
        const row = await signOnOfCode(tx, input.code, browserHash, now);
        await this.checkEnabled(tx);
        return await work(tx, row, await memberOfIdentity(tx, row.sso_id, row.identity, now));
      }),
    );
  }

  private async session(
    tx: Transaction,
    input: SignOnStep,
    row: SignOn,
    member: Member,
  ): Promise<LogonResult> {
    const session = await signIn(this.context, tx, member, 'sso');
    await signOnQueries.remove(tx, row.id);
    await this.trail.recordSuccess(tx, input, member, row.sso_id);
    return session;
  }

  private async keep(tx: Transaction, signOn: string, identity: Identity): Promise<string> {
    return await keepIdentity(tx, signOn, identity, this.context.now());
  }

  private finishAddress(organizationId: string, signOn: string, code: string): string {
    const url = new URL(this.addresses(organizationId).finish);
    url.searchParams.set('sign_on', signOn);
    url.searchParams.set('code', code);
    return url.href;
  }

  private async returnAddress(tx: Transaction, row: SignOn): Promise<string> {
    const url = new URL(row.return_to ?? '');
    url.searchParams.set('code', await handOver(tx, row.id, this.context.now()));
    if (row.return_state !== null) url.searchParams.set('state', row.return_state);
    return url.href;
  }

  /** Hashes the cookie that identifies the browser. Over HTTPS only the `__Host-` cookie counts. */
  private hashOfBrowser({ secret, secure }: Input<'sso.finish'>['browser']): string {
    return hashOf(secure || !isSecure(this.options.publicUrl()) ? secret : '');
  }

  /** Refuses members of a disabled organization. @throws ApiError 402 */
  private async checkEnabled(tx: Transaction): Promise<void> {
    if (organizationState(await tx.organization(), this.context.clock.now()) === 'enabled') return;
    throw new ApiError(402, 'the organization is disabled', {
      remediation: 'Ask the operator of the service to enable it.',
    });
  }

  private addresses(organizationId: string) {
    return addressesOf(this.options.publicUrl(), organizationId);
  }

  private async write<T>(organizationId: string, work: (tx: Transaction) => Promise<T>) {
    return await this.context.store.write(wholeOrganization(organizationId), work);
  }
}
