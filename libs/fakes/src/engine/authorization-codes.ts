import { createHash, randomBytes } from 'node:crypto';
import { textOf } from '../document/expressions.js';
import type { CodeAcceptance, CodeClient } from '../document/fake-document.js';
import { FakeRefusal, type FakeResponse } from './messages.js';

/** Time in which a code is exchanged. */
const codeMs = 60_000;

/** The access that a person granted to an application. */
interface Grant {
  readonly id: string;
  readonly client: string;
  readonly scopes: readonly string[];
  /** Counts its access tokens. */
  generation: number;
  isEnded: boolean;
}

interface Code {
  readonly client: string;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly scopes: readonly string[];
  readonly expires: number;
}

/** A token request that is answered. */
export interface CodeGranted {
  grant: string;
  generation: number;
  scopes: readonly string[];
  lifetimeSeconds: number | undefined;
  refreshToken: string | undefined;
}

/**
 * An authorization server: the page where a person decides, and the exchange of codes and refresh tokens. What people granted is kept by
 * the running fake alone.
 */
export class AuthorizationCodes {
  private readonly codes = new Map<string, Code>();
  private readonly grants = new Map<string, Grant>();
  /** The grants of refresh tokens; each is taken once. */
  private readonly refreshTokens = new Map<string, string>();

  /** @param secretOf returns client id and secret of an application of the document */
  constructor(private readonly secretOf: (client: string) => { id: string; secret: string }) {}

  /** The page where a person decides, or where their decision leads. */
  decide(acceptance: CodeAcceptance, url: URL, now: number): FakeResponse {
    const asked = url.searchParams;
    const client = this.clientOf(acceptance, asked.get('client_id') ?? '');
    const redirect = URL.parse(asked.get('redirect_uri') ?? '');
    const method = asked.get('code_challenge_method');
    if (client === undefined || redirect === null || asked.get('response_type') !== 'code')
      return page(
        400,
        '<p>This application cannot be authorized: client_id, redirect_uri or response_type is wrong.</p>',
      );
    if (asked.has('code_challenge') && method !== 'S256')
      return page(400, '<p>Only S256 is taken as code_challenge_method.</p>');
    const decision = asked.get('decision');
    if (decision === null) return decisionPage(url, acceptance);
    const state = asked.get('state');
    if (state !== null) redirect.searchParams.set('state', state);
    if (decision === 'allow') {
      const code = newSecret();
      const scopes = asked.get('granted') ?? asked.get('scope') ?? '';
      this.codes.set(code, {
        client,
        redirectUri: asked.get('redirect_uri') ?? '',
        challenge: asked.get('code_challenge') ?? undefined,
        scopes: scopes.split(/[ ,]+/).filter((scope) => scope !== ''),
        expires: now + codeMs,
      });
      redirect.searchParams.set('code', code);
    } else redirect.searchParams.set('error', 'access_denied');
    return { status: 302, headers: { location: redirect.href }, body: new Uint8Array() };
  }

  /** Exchanges a code or a refresh token. @throws FakeRefusal */
  exchange(
    acceptance: CodeAcceptance,
    [basicId, basicSecret]: readonly [string?, string?],
    form: Readonly<Record<string, unknown>>,
    now: number,
  ): CodeGranted {
    const client = this.checkClient(
      acceptance,
      basicId ?? textOf(form['client_id']),
      basicSecret ?? textOf(form['client_secret']),
    );
    const grant =
      form['grant_type'] === 'refresh_token'
        ? this.takeRefreshToken(acceptance, client, textOf(form['refresh_token']))
        : this.takeCode(acceptance, client, form, now);
    return this.issue(acceptance.clients.get(client) ?? { refresh: false }, grant);
  }

  /** True for the access token of a grant that has not ended; older ones count where the vendor lets them stand. */
  isGood(acceptance: CodeAcceptance, id: string, generation: number): boolean {
    const grant = this.grants.get(id);
    if (grant === undefined || grant.isEnded) return false;
    return !acceptance.revokes || grant.generation === generation;
  }

  /** Ends all grants, as people do who remove an application. */
  revoke(): void {
    for (const grant of this.grants.values()) grant.isEnded = true;
  }

  /** Checks client id and secret. @throws FakeRefusal */
  checkClient(acceptance: CodeAcceptance, id: string, secret: string): string {
    const client = this.clientOf(acceptance, id);
    if (client === undefined || this.secretOf(client).secret !== secret)
      throw new FakeRefusal(acceptance.refused.client, 'wrong client id or secret');
    return client;
  }

  /** Ends the grant of a refresh token. @param client the application that it has to belong to @returns false if there is none */
  endByRefreshToken(token: string, client?: string): boolean {
    return this.end(this.refreshTokens.get(token) ?? '', client);
  }

  /** Ends a grant. @returns false if there is none */
  end(id: string, client?: string): boolean {
    const grant = this.grants.get(id);
    if (grant === undefined || grant.isEnded) return false;
    if (client !== undefined && grant.client !== client) return false;
    grant.isEnded = true;
    return true;
  }

  private takeCode(
    { refused }: CodeAcceptance,
    client: string,
    form: Readonly<Record<string, unknown>>,
    now: number,
  ): Grant {
    const text = textOf(form['code']);
    const code = this.codes.get(text);
    this.codes.delete(text);
    const verifier = textOf(form['code_verifier']);
    const proof = createHash('sha256').update(verifier).digest('base64url');
    const isProven = code?.challenge === undefined || code.challenge === proof;
    if (code?.client !== client || code.expires <= now || !isProven)
      throw new FakeRefusal(refused.code, 'wrong, used or late code, or wrong code_verifier');
    if (code.redirectUri !== textOf(form['redirect_uri']))
      throw new FakeRefusal(refused.redirect, 'another redirect_uri than that of the page');
    const id = newSecret();
    const grant = { id, client, scopes: code.scopes, generation: 0, isEnded: false };
    this.grants.set(id, grant);
    return grant;
  }

  private takeRefreshToken({ refused }: CodeAcceptance, client: string, token: string): Grant {
    const grant = this.grants.get(this.refreshTokens.get(token) ?? '');
    if (grant?.client !== client || grant.isEnded)
      throw new FakeRefusal(refused.refresh, 'wrong or used refresh token, or its grant has ended');
    this.refreshTokens.delete(token);
    return grant;
  }

  private issue({ lifetimeSeconds, refresh }: CodeClient, grant: Grant): CodeGranted {
    grant.generation += 1;
    const { id, generation, scopes } = grant;
    const refreshToken = refresh ? newSecret() : undefined;
    if (refreshToken !== undefined) this.refreshTokens.set(refreshToken, id);
    return { grant: id, generation, scopes, lifetimeSeconds, refreshToken };
  }

  private clientOf({ clients }: CodeAcceptance, id: string): string | undefined {
    return [...clients.keys()].find((name) => this.secretOf(name).id === id);
  }
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function decisionPage(url: URL, { vendor }: CodeAcceptance): FakeResponse {
  const asked = (url.searchParams.get('scope') ?? '').split(/[ ,]+/);
  const link = (decision: string) => {
    const to = new URL(url);
    to.searchParams.set('decision', decision);
    return escape(to.pathname + to.search);
  };
  return page(
    200,
    `<h1>${escape(vendor)}</h1><p>An application asks for:</p>
<ul>${asked.map((scope) => `<li>${escape(scope)}</li>`).join('')}</ul>
<p><a id="allow" href="${link('allow')}">Allow</a> <a id="decline" href="${link('decline')}">Cancel</a></p>`,
  );
}

function page(status: number, content: string): FakeResponse {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Authorize</title>${content}</html>`;
  // Vendors cut the window off from the page that opened it.
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
  };
  return { status, headers, body: Buffer.from(text) };
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
