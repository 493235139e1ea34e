import { AwsV4Signer } from 'aws4fetch';
import { ApiError } from '#contract';
import type { Value } from '#mapping';
import type { CompiledSending } from '../document/compiled-provider.js';
import { evaluate, evaluateTemplate, textOf } from '../document/evaluate.js';
import type { TokenSource } from './access-tokens.js';
import { pairs } from './write-body.js';
import { FileBody } from './file-body.js';
import type { ProviderRequest } from './provider-request.js';
import type { Redactor } from './redact.js';

/** A credential of an integration, opened. */
export interface OpenedCredential {
  id: string | undefined;
  kind: string;
  config: Record<string, unknown>;
}

/** Puts a credential into requests, in the way its document says. */
export class Authentication {
  /** Set after the provider refused the access token: the next one is fetched anew. */
  private stale: string | undefined;

  constructor(
    private readonly sending: CompiledSending,
    private readonly credential: OpenedCredential,
    private readonly context: {
      config: Value;
      place: string;
      organizationId: string;
      accountId: string;
    },
    private readonly tokens: TokenSource,
    private readonly redactor: Redactor,
  ) {
    for (const secret of secretsOf(credential.config)) redactor.add(secret);
  }

  get credentialId(): string | undefined {
    return this.credential.id;
  }

  /** True when a refused call may be tried once more with a new access token. */
  get renews(): boolean {
    return this.sending.source.send === 'client_credentials';
  }

  renew(request: ProviderRequest): void {
    this.stale = request.headers['authorization']?.replace(/^Bearer /, '');
  }

  /** @returns the request with the credential in it. */
  async apply(request: ProviderRequest, signal: AbortSignal): Promise<ProviderRequest> {
    const { source } = this.sending;
    switch (source.send) {
      case 'basic': {
        const name = this.text('username') ?? this.field('username');
        const word = this.text('password') ?? this.field('secret');
        const value = Buffer.from(`${name}:${word}`).toString('base64');
        this.redactor.add(value);
        return withHeader(request, 'authorization', `Basic ${value}`);
      }
      case 'header': {
        const value = this.text('value') ?? '';
        return withHeader(request, source.name.toLowerCase(), value);
      }
      case 'query': {
        const url = new URL(request.url);
        url.searchParams.set(source.name, this.text('value') ?? '');
        return { ...request, url };
      }
      case 'client_credentials': {
        const token = await this.tokens.get(
          {
            organizationId: this.context.organizationId,
            accountId: this.context.accountId,
            credentialId: this.credential.id ?? this.context.place,
            tokenUrl: this.text('token_url') ?? this.field('token_url'),
            clientId: this.field('client_id'),
            clientSecret: this.field('client_secret'),
            scope: this.text('scope'),
            parameters: this.parameters(),
            client: source.client ?? 'basic',
          },
          this.stale,
          signal,
        );
        this.redactor.add(token);
        return withHeader(request, 'authorization', `Bearer ${token}`);
      }
      case 'sigv4':
        return await this.sign(request, source.service);
    }
  }

  private async sign(request: ProviderRequest, service: string): Promise<ProviderRequest> {
    const { config } = this.credential;
    const isFile = request.body instanceof FileBody;
    // S3 takes a body that is not part of the signature, and the signer signs without it there.
    if (isFile && service !== 's3')
      throw new ApiError(502, `a streamed body cannot be signed for ${service}`, {});
    if (!isFile && request.body instanceof Object && !(request.body instanceof Uint8Array))
      throw new ApiError(502, 'a multipart body cannot be signed', {});
    const signer = new AwsV4Signer({
      method: request.method,
      url: request.url.href,
      headers: request.headers,
      body: (isFile ? null : (request.body ?? null)) as never,
      accessKeyId: this.field('access_key_id'),
      secretAccessKey: this.field('secret_access_key'),
      ...(typeof config['session'] === 'string' ? { sessionToken: config['session'] } : {}),
      service,
      region: this.text('region') ?? 'us-east-1',
    });
    const signed = await signer.sign();
    // Not the secret, and yet good for this request for some minutes.
    this.redactor.add(
      /Signature=([0-9a-f]+)/.exec(signed.headers.get('authorization') ?? '')?.[1] ?? '',
    );
    const headers = Object.fromEntries(
      [...signed.headers].map(([name, value]) => [name.toLowerCase(), value]),
    );
    return {
      ...request,
      url: new URL(signed.url),
      headers,
      secretHeaders: [...request.secretHeaders, 'authorization', 'x-amz-security-token'],
    };
  }

  private text(key: string): string | undefined {
    const query = this.sending.queries.get(key);
    if (query === undefined) return undefined;
    return textOf(evaluate(query, this.input(), `${this.context.place}.${key}`));
  }

  /** A field of the credential. */
  private field(name: string): string {
    return textOf(this.credential.config[name]) ?? '';
  }

  private parameters(): [string, string][] {
    const { parameters } = this.sending;
    return parameters === undefined
      ? []
      : pairs(evaluateTemplate(parameters, this.input(), `${this.context.place}.parameters`));
  }

  private input(): Value {
    return { config: this.context.config, credential: this.credential.config as Value };
  }
}

function withHeader(request: ProviderRequest, name: string, value: string): ProviderRequest {
  return {
    ...request,
    headers: { ...request.headers, [name]: value },
    secretHeaders: [...request.secretHeaders, name],
  };
}

const openKeys = new Set([
  'type',
  'username',
  'client_id',
  'token_url',
  'role_arn',
  'access_key_id',
]);

/** Every text of a credential that is not known to be harmless. */
function secretsOf(config: Record<string, unknown>): string[] {
  return Object.entries(config).flatMap(([key, value]) =>
    typeof value === 'string' && !openKeys.has(key) ? [value] : [],
  );
}
