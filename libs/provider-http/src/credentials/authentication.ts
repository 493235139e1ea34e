import { createHmac } from 'node:crypto';
import type { SecretUse } from '#bridge';
import { ApiError } from '#contract';
import type { TokenSource } from './access-tokens.js';
import type { ClientCertificate } from './client-certificates.js';
import { readRoleKeys, type RoleRequest } from './assume-role.js';
import { awsDomain } from './call-sts.js';
import type { ClientTokenRequest } from './fetch-access-token.js';
import { signAzureStorage } from './azure-storage.js';
import { type BodyUse, withField } from './body-field.js';
import { FileBody } from '../bodies/file-body.js';
import type { ProviderRequest } from '../provider-request.js';
import type { Route } from '../sending/route.js';
import type { Redactor } from '../redact.js';
import { withSecretUse } from './secret-uses.js';
import { signAws, type SigningKeys } from './sign-aws.js';

/** A decrypted credential of an integration. */
export interface OpenedCredential {
  id: string | undefined;
  kind: string;
  config: Record<string, unknown>;
  /** False for a credential that is only tried, so that its id leads nowhere. */
  isStored?: boolean;
  /** The name of a secret that bridge agents have; the configuration is empty then. */
  atHome?: string;
  /** Present for a token that a person granted, and the provider renews. */
  renewal?: CredentialRenewal;
}

/** How a granted token is replaced by a new one. */
export interface CredentialRenewal {
  /** The token expires in a moment. */
  isDue: boolean;
  /** @param isRefused the provider refuses the token @returns the credential as it is then */
  renew(isRefused: boolean): Promise<OpenedCredential>;
}

/** How a credential is sent, with its values. */
export type CredentialUse =
  | { send: 'basic'; username: string; password: string }
  | { send: 'header' | 'query'; name: string; value: string }
  | { send: 'address'; value: string }
  | BodyUse
  | { send: 'client_credentials'; request: ClientTokenRequest; scopes: Scopes }
  /** Bridge agents put the secret in. */
  | { send: 'bridge'; use: SecretUse; scopes?: Scopes }
  | { send: 'tls'; certificate: ClientCertificate }
  | { send: 'azure_storage'; secret: string }
  | { send: 'hmac_sha256'; names: readonly string[]; prefix: string; secret: string }
  | {
      send: 'sigv4';
      /** The first part of the host name when absent. */
      service: string | undefined;
      region: string;
      /** Keys, or the role that gives temporary ones. */
      keys: SigningKeys | RoleRequest;
    };

/** Scopes of tokens by the origins that need others. */
type Scopes = ReadonlyMap<string, string>;

type Signing = Extract<CredentialUse, { send: 'sigv4' }>;

/** Gives a signal to those who wait for something: most credentials wait for nothing, and making a signal costs microseconds. */
export interface Aborts {
  readonly signal: AbortSignal;
}

/** Fields of a credential that may differ where the secret is the same. */
const besideSecret = new Set(['type', 'token_url', 'extra']);

/** Adds a credential to requests. */
export class Authentication {
  /** The last token of each scope; the empty text stands for none. */
  private used: Map<string, string> | undefined;
  /** Tokens that may be those that the provider refused: the next ones are fetched again. */
  private stale: ReadonlyMap<string, string> | undefined;
  /** The provider refused the granted token that was sent. */
  private isRefused = false;
  private wasRefused = false;

  /** @param useOf computes the use of a granted token that was renewed */
  constructor(
    private credential: OpenedCredential,
    private use: CredentialUse,
    private readonly tokens: TokenSource,
    private readonly redactor: Redactor,
    /** Credentials that are sent with this one. */
    private readonly beside: readonly Authentication[] = [],
    private readonly useOf?: (credential: OpenedCredential) => CredentialUse,
  ) {
    hideSecrets(credential.config, redactor);
  }

  /** Makes one of credentials that are sent together; undefined of none. */
  static together([first, ...rest]: readonly Authentication[]): Authentication | undefined {
    if (first === undefined || rest.length === 0) return first;
    return new Authentication(
      first.credential,
      first.use,
      first.tokens,
      first.redactor,
      rest,
      first.useOf,
    );
  }

  /** Undefined for a credential that is not stored: its id would lead nowhere. */
  get credentialId(): string | undefined {
    return this.credential.isStored === false ? undefined : this.credential.id;
  }

  /**
   * Identifies the credential at its provider, by a text that is the same wherever it is stored. Nobody is shown it. One that the provider renews,
   * or that bridge agents keep, has only its id.
   */
  get identity(): string {
    const { id, kind, config, atHome, renewal } = this.credential;
    if (renewal !== undefined || atHome !== undefined) return JSON.stringify([kind, id, atHome]);
    const fields = Object.entries(config).filter(([name]) => !besideSecret.has(name));
    return JSON.stringify([kind, ...fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
  }

  /** The certificate that connections to the provider present: its own, or that of a credential beside it. */
  get clientCertificate(): ClientCertificate | undefined {
    if (this.use.send === 'tls') return this.use.certificate;
    return this.beside.find((other) => other.clientCertificate)?.clientCertificate;
  }

  /** True where the secret is the address, which a redirect replaces. */
  get isAddress(): boolean {
    return this.use.send === 'address';
  }

  /** True when a refused call may be tried once more with a new token. */
  get renews(): boolean {
    return this.used !== undefined || this.credential.renewal !== undefined;
  }

  /** True until the first refusal of a granted token, which is replaced then: it tells nothing about the grant. */
  get willRenew(): boolean {
    return this.credential.renewal !== undefined && !this.wasRefused;
  }

  /** Gets a new token for the next request, because the provider refused this one. */
  renew(): void {
    this.stale = this.used && new Map(this.used);
    this.isRefused = this.wasRefused = true;
  }

  /**
   * Most credentials wait for nothing, and then no promise is made.
   * @param route the way to the provider, which tokens are fetched by
   * @returns the request with the credential in it, and those beside it
   */
  apply(
    request: ProviderRequest,
    aborts: Aborts,
    route?: Route,
  ): ProviderRequest | Promise<ProviderRequest> {
    if (this.beside.length > 0 || this.credential.renewal !== undefined)
      return this.applyAll(request, aborts, route);
    return this.applyOwn(request, aborts, route);
  }

  private async applyAll(
    request: ProviderRequest,
    aborts: Aborts,
    route: Route | undefined,
  ): Promise<ProviderRequest> {
    // Others may sign the body.
    const { use } = this;
    let whole = use.send === 'body' ? withField(request, use) : request;
    for (const other of this.beside) whole = await other.apply(whole, aborts, route);
    if (use.send === 'body') return whole;
    await this.renewGrant();
    return await this.applyOwn(whole, aborts, route);
  }

  private applyOwn(
    request: ProviderRequest,
    aborts: Aborts,
    route: Route | undefined,
  ): ProviderRequest | Promise<ProviderRequest> {
    const { use } = this;
    switch (use.send) {
      case 'basic': {
        const value = Buffer.from(`${use.username}:${use.password}`).toString('base64');
        this.redactor.add(value);
        return withHeader(request, 'authorization', `Basic ${value}`);
      }
      case 'header':
        return withHeader(request, use.name.toLowerCase(), use.value);
      case 'query': {
        const url = new URL(request.url);
        url.searchParams.set(use.name, use.value);
        return { ...request, url };
      }
      case 'body':
        return withField(request, use);
      case 'address':
        return { ...request, url: this.secretAddress(request.url, use.value) };
      case 'client_credentials':
        return this.withToken(request, withScope(use.request, use.scopes, request), aborts, route);
      case 'bridge':
        return withSecretUse(request, withScope(use.use, use.scopes, request), route);
      case 'tls':
        return request;
      case 'hmac_sha256':
        return signBody(request, use);
      case 'azure_storage':
        return signAzureStorage(request, use.secret, (secret) => this.redactor.add(secret));
      case 'sigv4':
        return this.signed(request, use, aborts);
    }
  }

  /** Replaces a granted token that expires in a moment, or that the provider refused. */
  private async renewGrant(): Promise<void> {
    const { renewal } = this.credential;
    if (renewal === undefined || this.useOf === undefined) return;
    if (!renewal.isDue && !this.isRefused) return;
    const { isStored } = this.credential;
    const renewed = await renewal.renew(this.isRefused);
    this.credential = { ...renewed, ...(isStored === undefined ? {} : { isStored }) };
    hideSecrets(renewed.config, this.redactor);
    this.use = this.useOf(this.credential);
    this.isRefused = false;
  }

  private async withToken(
    request: ProviderRequest,
    wanted: ClientTokenRequest,
    aborts: Aborts,
    route: Route | undefined,
  ): Promise<ProviderRequest> {
    const token = await this.getToken(wanted, aborts, route);
    this.redactor.add(token);
    return withHeader(request, 'authorization', `Bearer ${token}`);
  }

  private async signed(
    request: ProviderRequest,
    use: Signing,
    aborts: Aborts,
  ): Promise<ProviderRequest> {
    return await this.sign(request, use, await this.signingKeys(use.keys, request.url, aborts));
  }

  private async getToken(
    request: ClientTokenRequest | RoleRequest,
    aborts: Aborts,
    route?: Route,
  ): Promise<string> {
    const scope = 'scope' in request ? (request.scope ?? '') : '';
    const token = await this.tokens.get(request, this.stale?.get(scope), aborts.signal, route);
    this.used ??= new Map();
    this.used.set(scope, token);
    return token;
  }

  /** Returns the keys, or those of the role. @throws ApiError 502 for a host that is not one of AWS: it would get the session token */
  private async signingKeys(
    keys: SigningKeys | RoleRequest,
    { hostname }: URL,
    aborts: Aborts,
  ): Promise<SigningKeys> {
    if (!('roleArn' in keys)) return keys;
    const domain = awsDomain(keys.roleArn);
    if (!hostname.endsWith(`.${domain}`))
      throw new ApiError(502, `keys of a role are not sent to ${hostname}`, {
        remediation: `They are sent to hosts of ${domain} only. Use an access key (a credential of type aws) for other stores.`,
      });
    const assumed = readRoleKeys(await this.getToken(keys, aborts));
    this.redactor.add(assumed.secretAccessKey);
    this.redactor.add(assumed.sessionToken ?? '');
    return assumed;
  }

  /** @returns the address that the secret is. @throws ApiError 400 unless it is one at the origin of the provider */
  private secretAddress({ origin }: URL, value: string): URL {
    const url = URL.parse(value);
    if (url?.origin !== origin)
      throw new ApiError(400, `the secret is not an address that begins with ${origin}/`, {
        remediation: `Copy the whole address from the provider: ${origin}/…`,
      });
    this.redactor.add(url.pathname + url.search);
    this.redactor.add(url.pathname.split('/').at(-1) ?? '');
    return url;
  }

  private async sign(
    request: ProviderRequest,
    { service: named, region }: Signing,
    keys: SigningKeys,
  ): Promise<ProviderRequest> {
    const service = named ?? request.url.hostname.split('.')[0] ?? '';
    const isFile = request.body instanceof FileBody;
    // S3 takes a body that is not part of the signature, and the signer signs without it there.
    if (isFile && service !== 's3')
      throw new ApiError(502, `a streamed body cannot be signed for ${service}`, {});
    if (!isFile && request.body instanceof Object && !(request.body instanceof Uint8Array))
      throw new ApiError(502, 'a multipart body cannot be signed', {});
    const body = isFile ? null : ((request.body ?? null) as string | Uint8Array | null);
    const { url, headers, signature } = await signAws(
      { ...request, body },
      { service, region, keys },
    );
    // Not the secret, and yet good for this request for some minutes.
    this.redactor.add(signature);
    return {
      ...request,
      url,
      headers,
      secretHeaders: [...request.secretHeaders, 'authorization', 'x-amz-security-token'],
    };
  }
}

/** Adds the signature of the body, as it is sent. It may be shown: it fits this body alone. */
function signBody(
  request: ProviderRequest,
  { names, prefix, secret }: Extract<CredentialUse, { send: 'hmac_sha256' }>,
): ProviderRequest {
  const { body = '' } = request;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new ApiError(502, 'a streamed or multipart body cannot be signed', {});
  const digits = createHmac('sha256', secret).update(body).digest('hex');
  const signed = Object.fromEntries(names.map((name) => [name.toLowerCase(), prefix + digits]));
  return { ...request, headers: { ...request.headers, ...signed } };
}

/** Asks for a token with the scope of the origin that the request goes to. */
function withScope<Wanted extends object>(
  wanted: Wanted,
  scopes: Scopes | undefined,
  { url }: ProviderRequest,
): Wanted {
  const scope = scopes?.get(url.origin);
  return scope === undefined ? wanted : { ...wanted, scope };
}

function withHeader(request: ProviderRequest, name: string, value: string): ProviderRequest {
  // V8 takes microseconds for a literal that begins with a spread and goes on, and each call makes two of these.
  return Object.assign({}, request, {
    headers: Object.assign({}, request.headers, { [name]: value }),
    secretHeaders: [...request.secretHeaders, name],
  });
}

const openKeys = new Set([
  'type',
  'username',
  'client_id',
  'token_url',
  'role_arn',
  'role_session_name',
  'external_id',
  'access_key_id',
  'certificate',
  'certificate_authority',
]);

/** Hides every text of a credential that is not known to be harmless. */
function hideSecrets(config: Record<string, unknown>, redactor: Redactor): void {
  for (const [key, value] of Object.entries(config))
    if (typeof value === 'string' && !openKeys.has(key)) redactor.add(value);
}
