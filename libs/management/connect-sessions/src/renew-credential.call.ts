import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { type InternalCalls, type RenewedCredential, Serves } from '#bus';
import { ApiError, notFound } from '#contract';
import { ManagementContext } from '#management/core';
import {
  type Renewal,
  resolvedCredentials,
  sealConfig,
  type Ticket,
  ticketsOf,
  timesOf,
} from '#management/credentials';
import { revokeLater } from '#outbox';
import { ProviderCatalogue } from '#providers';
import { CursorRefused } from '#secrets';
import { type Credential, renewalQueries, type Transaction, wholeOrganization } from '#store';
import { applicationOf, AuthorizationServers, type Refreshed } from './authorization-server.js';
import { authorizationIn } from './authorizations.handlers.js';

type Input = InternalCalls['credentials.renew']['input'];

/** After this time another process may renew the token instead: longer than the provider may take. */
const claimSeconds = 20;
/** A token that is refused so soon after it was issued is not renewed again: it is not too old. */
const newMs = 60_000;
const waitMs = 100;
/** Longer than a claim, so that a process that ended is replaced. */
const maxWaitMs = 25_000;

/** A renewal with its credential. */
interface Found {
  renewal: Renewal;
  credential: Credential;
  config: Record<string, unknown>;
  /** The application that the token was granted to; undefined once it is gone. */
  client: Credential | undefined;
}

/**
 * Renews granted tokens for connectors, one renewal of a token at a time in all replicas. Connectors have neither the secret of the host's
 * application nor the refresh token.
 */
@Controller()
export class RenewCredentialCall {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
    private readonly servers: AuthorizationServers,
  ) {}

  @Serves('credentials.renew')
  async renew({ organizationId, ticket: text, refused }: Input): Promise<RenewedCredential> {
    const ticket = this.ticketOf(organizationId, text);
    const { store } = this.context;
    const scope = wholeOrganization(organizationId);
    const until = this.context.clock.now() + maxWaitMs;
    for (;;) {
      const found = await store.write(scope, (tx) => this.find(tx, ticket.credentialId));
      if (this.isGood(found, refused))
        return await store.write(scope, (tx) => this.resolved(tx, ticket, found));
      const { renewal } = found;
      if (renewal.refused !== null) return this.refusal(renewal);
      if (await store.write(scope, (tx) => renewalQueries.claim(tx, renewal, claimSeconds))) {
        await this.renewClaimed(organizationId, found, refused);
      } else if (refused === undefined && this.isValid(renewal))
        return await store.write(scope, (tx) => this.resolved(tx, ticket, found));
      else if (this.context.clock.now() > until)
        throw new ApiError(504, 'the token of the integration could not be renewed in time', {
          remediation: 'Try again in a moment.',
        });
      else await sleep(waitMs);
    }
  }

  private ticketOf(organizationId: string, text: string): Ticket {
    try {
      return ticketsOf(this.context.sealer).read(organizationId, text) as Ticket;
    } catch (error) {
      if (!(error instanceof CursorRefused)) throw error;
      throw new ApiError(502, 'the token of the integration cannot be renewed by this request', {
        remediation: 'Try again in a moment.',
        cause: error,
      });
    }
  }

  private async find(tx: Transaction, credentialId: string): Promise<Found> {
    const renewal = await renewalQueries.find(tx, credentialId);
    if (renewal === undefined) throw notFound('credential', credentialId);
    const credential = await tx.credentials.get(credentialId);
    const [client] = await tx.credentials.byIds([renewal.client_credential_id]);
    return { renewal, credential, client, config: this.open(credential) };
  }

  private open({ accountId, organizationId, sealed }: Credential): Record<string, unknown> {
    const text = this.context.sealer.open(accountId ?? organizationId, sealed).reveal();
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** @param refused hash of a token that the provider refuses */
  private isGood({ renewal, config }: Found, refused: string | undefined): boolean {
    const now = this.context.now().getTime();
    const isDue = renewal.due_at !== null && renewal.due_at.getTime() <= now;
    if (refused === undefined || isDue) return !isDue;
    const hash = createHash('sha256').update(String(config['secret'])).digest('hex');
    return hash !== refused || renewal.issued_at.getTime() + newMs > now;
  }

  private isValid({ expires_at: expires }: Renewal): boolean {
    return expires !== null && expires > this.context.now();
  }

  private async resolved(
    tx: Transaction,
    { domain }: Ticket,
    { credential: { id, accountId } }: Pick<Found, 'credential'>,
  ): Promise<RenewedCredential> {
    const owner = accountId ?? tx.scope.organizationId;
    const of = { accountId: owner, domain };
    const found = await resolvedCredentials(tx, this.context.sealer, [id], of);
    const { sealed, renewal } = found[id] ?? {};
    if (sealed === undefined || renewal === undefined) throw notFound('credential', id);
    return { sealed, renewal };
  }

  private async renewClaimed(
    organizationId: string,
    found: Found,
    refused: string | undefined,
  ): Promise<void> {
    const { renewal } = found;
    const scope = wholeOrganization(organizationId);
    const { store } = this.context;
    let refreshed: Refreshed;
    try {
      // No transaction is open while the provider is asked: the row says who renews, and until when.
      refreshed = await this.refresh(organizationId, found);
    } catch (error) {
      await store.write(scope, (tx) => renewalQueries.release(tx, renewal));
      if (refused !== undefined || !this.isValid(renewal)) throw error;
      // It is early: the token is good for some minutes more.
      await store.write(scope, (tx) => this.putOff(tx, renewal));
      return;
    }
    const { granted } = refreshed;
    await store.write(scope, (tx) =>
      granted ? this.store(tx, found, refreshed) : this.refuse(tx, found, refreshed.refused),
    );
  }

  private async refresh(organizationId: string, found: Found): Promise<Refreshed> {
    const { renewal, credential, client } = found;
    const declared = authorizationIn(this.providers, renewal.provider);
    if (declared === undefined || client?.configType !== 'o_auth_client')
      return { granted: false, refused: 'the application that it was granted to is gone' };
    const application = applicationOf(this.open(client), declared);
    if (new URL(application.tokenUrl).origin !== renewal.token_origin)
      return { granted: false, refused: 'the application has another token address now' };
    const owner = credential.accountId ?? organizationId;
    const token = this.context.sealer.open(owner, renewal.sealed).reveal();
    const fullname = this.nameOf(renewal.provider);
    return await this.servers.refresh(application, declared, token, fullname);
  }

  /** Stores the new pair before anybody uses it: many providers take a refresh token once. */
  private async store(
    tx: Transaction,
    found: Found,
    issued: Extract<Refreshed, { granted: true }>,
  ): Promise<void> {
    const { renewal, config } = found;
    const { token, refreshToken, expiresInSeconds } = issued;
    const credential = await tx.credentials.findLocked(renewal.credential_id);
    if (credential === undefined) return await this.giveBack(tx, found, issued);
    const now = this.context.now();
    const owner = credential.accountId ?? tx.scope.organizationId;
    const sealed =
      refreshToken === undefined
        ? renewal.sealed
        : await this.context.seal(tx, owner, refreshToken);
    const [due, expires] = timesOf({ expiresInSeconds }, now);
    const next = { sealed, issued_at: now, due_at: due, expires_at: expires };
    // Somebody replaced the secret, or renewed it since.
    if (!(await renewalQueries.storeNext(tx, renewal, next)))
      return await this.giveBack(tx, found, issued);
    const renewed = { ...config, secret: token };
    credential.sealed = await sealConfig(this.context, tx, credential.accountId, renewed);
    await tx.credentials.save(credential);
    await this.record(tx, renewal, credential.accountId ?? undefined);
    tx.forget(credential.id);
  }

  /** Gives back what was issued for a credential that was deleted or replaced meanwhile: only this process knows it. */
  private async giveBack(
    tx: Transaction,
    { renewal, client }: Found,
    { token, refreshToken }: Extract<Refreshed, { granted: true }>,
  ): Promise<void> {
    const owner = tx.scope.organizationId;
    const seal = async (text: string) => ({
      owner,
      sealed: await this.context.seal(tx, owner, text),
    });
    const revocation = {
      credentialId: renewal.credential_id,
      accountId: null,
      provider: renewal.provider,
      tokenOrigin: renewal.token_origin,
      tokenHash: null,
      credential: await seal(JSON.stringify({ secret: token })),
      refreshToken: refreshToken === undefined ? null : await seal(refreshToken),
      application: client ? { owner: client.accountId ?? owner, sealed: client.sealed } : null,
    };
    await revokeLater(tx, [revocation], this.context.now());
  }

  /** Ends the renewal, unless another process got a newer token while this one waited for the provider. */
  private async refuse(
    tx: Transaction,
    { renewal, credential }: Found,
    refused: string,
  ): Promise<void> {
    if (await renewalQueries.refuse(tx, renewal, refused))
      await this.record(tx, renewal, credential.accountId ?? undefined, refused);
  }

  /** Adds the renewal to the audit trail: no call of the API did it. */
  private async record(
    tx: Transaction,
    { credential_id: id, client_credential_id, provider }: Renewal,
    accountId: string | undefined,
    refused?: string,
  ): Promise<void> {
    const path = `/v1/credentials/${accountId ?? tx.scope.organizationId}/${id}`;
    const visit = { requestId: '', method: 'PATCH', path, remoteAddress: '' };
    await this.context.recordVisit(
      tx,
      { ...visit, userAgent: 'connector' },
      {
        ...(refused === undefined ? {} : { event: 'authorization_refused', message: refused }),
        accountId,
        data: { credential_id: id, client_credential_id, provider },
      },
    );
  }

  private async putOff(tx: Transaction, renewal: Renewal): Promise<void> {
    await renewalQueries.putOff(tx, renewal, new Date(this.context.now().getTime() + newMs));
  }

  private refusal({ credential_id: id, provider, refused }: Renewal): RenewedCredential {
    const fullname = this.nameOf(provider);
    return {
      refused: `${fullname} ended the access that was granted (${refused})`,
      credentialId: id,
    };
  }

  private nameOf(provider: string): string {
    const manifest = this.providers.manifests.find(({ type }) => type === provider);
    return manifest?.fullname ?? provider;
  }
}
