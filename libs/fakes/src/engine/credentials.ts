import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { ExpressionFailure, type Scope, textOf } from '../document/expressions.js';
import type {
  Acceptance,
  Auth,
  CodeAcceptance,
  OauthAcceptance,
  Revocation,
  SecretAcceptance,
  Sigv4Acceptance,
} from '../document/fake-document.js';
import { AuthorizationCodes } from './authorization-codes.js';
import { derivedPrivateKey } from './derived-private-key.js';
import { FakeRefusal, type ReadRequest } from './messages.js';
import { readSignature, verifySignature } from './verify-sigv4.js';

/** A caller that has proved who they are. */
export interface User {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Credentials of a principal, for the configuration of a client. */
export interface FakeCredentials {
  principal: string;
  scopes: readonly string[];
  /** Where oauth is accepted. */
  client?: { id: string; secret: string; tokenPath: string };
  /** Where people can authorize applications: client ids and secrets by name. */
  applications?: ReadonlyMap<string, { id: string; secret: string }>;
  /** Where a secret is accepted. */
  secret?: string;
  /** Where HTTP Basic is accepted. */
  basic?: { username: string; password: string };
  /** Where signatures of AWS are accepted. */
  aws?: { accessKeyId: string; secretAccessKey: string };
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

interface TokenPayload {
  principal: string;
  scopes: readonly string[] | null;
  expires: number;
  /** Present in a token that a person granted. */
  grant?: string;
  generation?: number;
}

type Presented = User | 'expired' | undefined;

/** Derives the credentials of a fake from its key, and recognizes them. */
export class Credentials {
  /** The access that people grant to applications. */
  readonly codes = new AuthorizationCodes((client) => this.clientOf(client));

  /** @param key differs by integration, so that the credentials of one are refused by another */
  constructor(
    private readonly auth: Auth,
    private readonly key: string,
  ) {}

  list(scope: Scope): FakeCredentials[] {
    return [...this.auth.principals].map(([principal, scopes]) => {
      const credentials: FakeCredentials = { principal, scopes };
      for (const acceptance of this.auth.accepts) {
        const password = this.derive(principal, 'secret');
        if (acceptance.kind === 'oauth') {
          const id = this.clientId(principal);
          const secret = acceptance.isSigned ? this.privateKey(principal) : password;
          credentials.client = { id, secret, tokenPath: acceptance.path };
          if (acceptance.as !== undefined)
            credentials.secret = textOf(
              acceptance.as.value({ ...scope, input: { secret, principal, client_id: id } }),
            );
        } else if (acceptance.kind === 'oauth_code')
          credentials.applications = new Map(
            [...acceptance.clients.keys()].map((name) => [name, this.clientOf(name)]),
          );
        else if (acceptance.kind === 'secret')
          credentials.secret = this.secretOf(acceptance, principal, scope);
        else if (acceptance.kind === 'sigv4')
          credentials.aws = {
            accessKeyId: this.accessKeyId(principal),
            secretAccessKey: password,
          };
        else credentials.basic = { username: usernameOf(acceptance, principal, scope), password };
      }
      return credentials;
    });
  }

  /** @throws FakeRefusal unauthenticated or expired_token */
  authenticate(request: ReadRequest, now: number, scope: Scope): User {
    let expired = false;
    for (const acceptance of this.auth.accepts) {
      const presented = this.read(acceptance, request, now, scope);
      if (presented === 'expired') expired = true;
      else if (presented !== undefined) return presented;
    }
    throw new FakeRefusal(expired ? 'expired_token' : 'unauthenticated');
  }

  private read(acceptance: Acceptance, request: ReadRequest, now: number, scope: Scope): Presented {
    switch (acceptance.kind) {
      case 'oauth':
      case 'oauth_code':
        return this.readToken(request.headers, now);
      case 'secret':
        return this.readSecret(acceptance, scope);
      case 'sigv4':
        return this.readSignature(acceptance, request, now);
      case 'basic':
        return this.readBasic(request.headers, (principal) =>
          usernameOf(acceptance, principal, scope),
        );
    }
  }

  private readSignature(
    { service }: Sigv4Acceptance,
    request: ReadRequest,
    now: number,
  ): Presented {
    const signed = readSignature(request);
    if (signed === undefined || signed.service !== service) return undefined;
    for (const [name, scopes] of this.auth.principals) {
      if (this.accessKeyId(name) !== signed.accessKeyId) continue;
      const verified = verifySignature(request, signed, this.derive(name, 'secret'), now);
      if (verified !== 'invalid') return verified === 'expired' ? 'expired' : { name, scopes };
    }
    return undefined;
  }

  /** Issues a token of the client credentials grant. @throws FakeRefusal */
  issueToken(
    acceptance: OauthAcceptance,
    headers: Readonly<Record<string, string>>,
    form: Readonly<Record<string, unknown>>,
    now: number,
  ): { token: string; lifetime: number; scopes: string; plain: object } {
    const { principal, scope } = acceptance.isSigned
      ? this.readStatement(form, now)
      : this.readClient(acceptance, headers, form);
    const scopes = this.auth.principals.get(principal ?? '');
    if (principal === undefined || scopes === undefined)
      throw new FakeRefusal(acceptance.refused, 'wrong client id, secret or grant type');
    // Microsoft's `<address>/.default` asks for all that the application was granted.
    const asked = scope.split(' ').filter((scope) => scope !== '' && !scope.endsWith('/.default'));
    const isNarrow = asked.length > 0 && asked.every((scope) => permits(scopes, scope));
    const payload: TokenPayload = {
      principal,
      scopes: isNarrow ? asked : null,
      expires: now + acceptance.lifetimeSeconds * 1_000,
    };
    const lifetime = acceptance.lifetimeSeconds;
    const token = this.sign(payload);
    return {
      token,
      lifetime,
      scopes: (isNarrow ? asked : scopes).join(' '),
      plain: { access_token: token, token_type: 'bearer', expires_in: lifetime },
    };
  }

  private readClient(
    { needsGrantType }: OauthAcceptance,
    headers: Readonly<Record<string, string>>,
    form: Readonly<Record<string, unknown>>,
  ): { principal?: string | undefined; scope: string } {
    const [basicId, basicSecret] = basicOf(headers) ?? [];
    const id = basicId ?? textOf(form['client_id']);
    const secret = basicSecret ?? textOf(form['client_secret']);
    const principal = [...this.auth.principals.keys()].find((name) => this.clientId(name) === id);
    const isKnown = principal !== undefined && same(secret, this.derive(principal, 'secret'));
    const grant = form['grant_type'] ?? (needsGrantType ? '' : 'client_credentials');
    const isGood = isKnown && grant === 'client_credentials';
    return { principal: isGood ? principal : undefined, scope: textOf(form['scope']) };
  }

  /** Finds the principal whose private key has signed a statement that holds now. */
  private readStatement(
    form: Readonly<Record<string, unknown>>,
    now: number,
  ): { principal?: string | undefined; scope: string } {
    const [head = '', body = '', mac = ''] = textOf(form['assertion']).split('.');
    const content = Buffer.from(`${head}.${body}`);
    const signature = Buffer.from(mac, 'base64url');
    const principal = [...this.auth.principals.keys()].find((name) =>
      verify('sha256', content, createPublicKey(this.privateKey(name)), signature),
    );
    if (form['grant_type'] !== jwtBearer || principal === undefined) return { scope: '' };
    const { exp = 0, scope } = JSON.parse(Buffer.from(body, 'base64url').toString()) as {
      exp?: number;
      scope?: string;
    };
    return { principal: exp * 1_000 > now ? principal : undefined, scope: scope ?? '' };
  }

  /** Issues a token that a person granted. @throws FakeRefusal */
  issueGranted(
    acceptance: CodeAcceptance,
    headers: Readonly<Record<string, string>>,
    form: Readonly<Record<string, unknown>>,
    now: number,
  ) {
    const issued = this.codes.exchange(acceptance, applicationIn(headers), form, now);
    const { grant, generation, scopes, lifetimeSeconds, refreshToken } = issued;
    const lasting = Number.MAX_SAFE_INTEGER;
    const token = this.sign({
      principal: acceptance.principal,
      grant,
      generation,
      scopes: acceptance.anyScopes ? null : scopes,
      expires: lifetimeSeconds === undefined ? lasting : now + lifetimeSeconds * 1_000,
    });
    return {
      token,
      lifetime: lifetimeSeconds ?? null,
      refresh: refreshToken ?? null,
      client: applicationIn(headers)[0] ?? String(form['client_id']),
      scopes: [...scopes],
      plain: {
        access_token: token,
        token_type: 'bearer',
        scope: scopes.join(' '),
        ...(lifetimeSeconds === undefined ? {} : { expires_in: lifetimeSeconds }),
        ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      },
    };
  }

  /** Ends what a person granted, by one of its tokens. @param pathClient the client id in the path @throws FakeRefusal */
  revokeGranted(
    acceptance: CodeAcceptance,
    revocation: Revocation,
    { headers, text }: { headers: Readonly<Record<string, string>>; text: string },
    pathClient: string,
  ): void {
    const { token: place, unknown } = revocation;
    const form = place === 'form' ? new URLSearchParams(text) : undefined;
    const [basicId, basicSecret] = applicationIn(headers);
    // A token that authenticates by itself needs no application.
    const client =
      place === 'bearer'
        ? undefined
        : this.codes.checkClient(
            acceptance,
            basicId ?? form?.get('client_id') ?? '',
            basicSecret ?? form?.get('client_secret') ?? '',
          );
    if (pathClient !== '' && pathClient !== basicId)
      throw new FakeRefusal(acceptance.refused.client, 'another client id than in the path');
    const token =
      form?.get('token') ?? (place === 'bearer' ? bearerOf(headers) : accessTokenIn(text)) ?? '';
    const grant = this.payloadOf(token)?.grant;
    const isEnded =
      grant === undefined
        ? place !== 'json' && this.codes.endByRefreshToken(token, client)
        : this.codes.end(grant, client);
    if (!isEnded && unknown !== undefined) throw new FakeRefusal(unknown, 'unknown token');
  }

  private sign(payload: TokenPayload): string {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${this.derive(text, 'token')}`;
  }

  private readToken(headers: Readonly<Record<string, string>>, now: number): Presented {
    const payload = this.payloadOf(bearerOf(headers) ?? '');
    if (payload === undefined) return undefined;
    const codes = this.auth.accepts.find((one) => one.kind === 'oauth_code');
    const { grant, generation = 0 } = payload;
    if (grant !== undefined && codes && !this.codes.isGood(codes, grant, generation))
      return undefined;
    if (payload.expires <= now) return 'expired';
    const scopes = this.auth.principals.get(payload.principal);
    return scopes && { name: payload.principal, scopes: payload.scopes ?? scopes };
  }

  /** Undefined for a token that this fake did not issue. */
  private payloadOf(token: string): TokenPayload | undefined {
    // A document may put what its vendor's tokens begin with before them; JSON in base64url begins so.
    const [text = '', mac = ''] = token.slice(Math.max(0, token.indexOf('eyJ'))).split('.');
    if (text === '' || !same(mac, this.derive(text, 'token'))) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as TokenPayload;
  }

  private readSecret(acceptance: SecretAcceptance, scope: Scope): Presented {
    let presented: unknown;
    try {
      presented = acceptance.secret.value(scope);
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      return undefined; // nothing was presented, so the query had nothing to read
    }
    if (typeof presented !== 'string') return undefined;
    for (const [name, scopes] of this.auth.principals)
      if (same(presented, this.secretOf(acceptance, name, scope))) return { name, scopes };
    return undefined;
  }

  private readBasic(
    headers: Readonly<Record<string, string>>,
    username: (principal: string) => string,
  ): Presented {
    const [given, password] = basicOf(headers) ?? [];
    if (given === undefined || password === undefined) return undefined;
    for (const [name, scopes] of this.auth.principals)
      if (username(name) === given && same(password, this.derive(name, 'secret')))
        return { name, scopes };
    return undefined;
  }

  private secretOf({ as }: SecretAcceptance, principal: string, scope: Scope): string {
    const secret = this.derive(principal, 'secret');
    return as === undefined ? secret : textOf(as.value({ ...scope, input: { secret, principal } }));
  }

  private clientOf(application: string): { id: string; secret: string } {
    const secret = this.derive(application, 'application secret');
    return { id: this.derive(application, 'application').slice(0, 20), secret };
  }

  private clientId(principal: string): string {
    return this.derive(principal, 'client').slice(0, 32);
  }

  private accessKeyId(principal: string): string {
    return `AKIA${this.derive(principal, 'access key').slice(0, 16).toUpperCase()}`;
  }

  private privateKey(principal: string): string {
    return derivedPrivateKey(this.derive(principal, 'private key'));
  }

  private derive(text: string, purpose: string): string {
    return createHmac('sha256', this.key).update(`${purpose} ${text}`).digest('hex');
  }
}

/** Whether one of the scopes covers this one; `*` stands for any text. */
export function permits(scopes: readonly string[], scope: string): boolean {
  return scopes.some((one) => {
    const pattern = one.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${pattern.join('.*')}$`).test(scope);
  });
}

function usernameOf(
  { username }: { username: { value(scope: Scope): unknown } | undefined },
  principal: string,
  scope: Scope,
): string {
  return username === undefined
    ? principal
    : textOf(username.value({ ...scope, input: { principal } }));
}

/** Client id and secret, which are encoded as in a form (RFC 6749, 2.3.1). */
function applicationIn(headers: Readonly<Record<string, string>>): [string?, string?] {
  return (basicOf(headers) ?? []).map((part) => decodeURIComponent(part.replaceAll('+', ' '))) as [
    string?,
    string?,
  ];
}

function bearerOf(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
}

function accessTokenIn(text: string): string | undefined {
  try {
    const { access_token: token } = JSON.parse(text) as { access_token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined; // not JSON: there is no token in it
  }
}

function basicOf(headers: Readonly<Record<string, string>>): [string, string] | undefined {
  const encoded = /^Basic (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)];
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
