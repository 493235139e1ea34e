import { hostname } from 'node:os';
import { AwsV4Signer } from 'aws4fetch';
import { BridgeFailure, type SecretUse } from '#bridge';
import { StartError } from '#observe/runtime';
import { type FieldSource, readText, type SecretEntry, type VaultPlace } from './agent-file.js';
import { type Masker, minSecretLength } from './masker.js';
import { OauthTokens, type SendTokenRequest } from './oauth-tokens.js';
import { type Vault, VaultError } from './vault.js';

/** Fields that are no secrets by themselves, and that hosts may show. */
const openFields = new Set(['username', 'client_id', 'access_key_id', 'token_url']);
/** The signature of a service other than S3 covers the body. */
const maxSignedBytes = 8_388_608;

interface Known {
  origins: ReadonlySet<string>;
  fields: ReadonlyMap<string, string>;
  /** Fields that are read from Vault when they are used. */
  inVault: ReadonlyMap<string, VaultPlace>;
}

/** A request without its secrets, or with them. */
export interface Draft {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | undefined;
}

export interface SecretsParts {
  masker: Masker;
  sendToken: SendTokenRequest;
  vault: Vault | undefined;
}

/** The secrets of the agent's file. They are put into requests to the origins that the file names, and masked in every response. */
export class Secrets {
  private readonly known: ReadonlyMap<string, Known>;
  private readonly tokens: OauthTokens;
  private readonly masker: Masker;
  private readonly vault: Vault | undefined;

  /** @throws StartError */
  constructor(
    entries: readonly SecretEntry[],
    environment: Readonly<Record<string, string | undefined>>,
    { masker, sendToken, vault }: SecretsParts,
  ) {
    this.masker = masker;
    this.vault = vault;
    this.known = new Map(entries.map((entry) => [entry.name, readEntry(entry, environment)]));
    if (vault === undefined) refuseVault(this.known);
    this.tokens = new OauthTokens(masker, sendToken);
    for (const { fields } of this.known.values())
      for (const [name, value] of fields) if (!openFields.has(name)) masker.add(value);
  }

  /** Names with the origins that each is for, for the status. */
  get shown(): Record<string, string> {
    return Object.fromEntries(
      [...this.known].map(([name, { origins }]) => [name, [...origins].join(' ')]),
    );
  }

  /** Reads all secrets of Vault once, so that the log of the start says which are not there. Each is read again when it is used. */
  async preload(): Promise<void> {
    await Promise.allSettled([...this.known].map(([name, known]) => this.readVault(name, known)));
  }

  /** Puts secrets into a request. @throws BridgeFailure `secret` for one that the file does not have for this origin */
  async apply(draft: Draft, uses: readonly SecretUse[], signal: AbortSignal): Promise<Draft> {
    let made = draft;
    for (const use of uses) made = await this.applyOne(made, use, signal);
    return made;
  }

  /** Forgets access tokens and values of Vault, because a host refused them. */
  forget(uses: readonly SecretUse[]): void {
    for (const use of uses) {
      this.tokens.forget(use);
      for (const place of this.known.get(use.secret)?.inVault.values() ?? [])
        this.vault?.forget(place);
    }
  }

  private async applyOne(draft: Draft, use: SecretUse, signal: AbortSignal): Promise<Draft> {
    const { secret } = use;
    const known = await this.readVault(secret, this.find(secret, draft.url.origin));
    const filled = (text: string) => fill(text, secret, known);
    switch (use.send) {
      case 'basic': {
        const pair = `${filled(use.username)}:${filled(use.password)}`;
        const value = Buffer.from(pair).toString('base64');
        this.masker.addMade(value);
        return withHeader(draft, 'authorization', `Basic ${value}`);
      }
      case 'header':
        return withHeader(draft, use.name.toLowerCase(), filled(use.value));
      case 'query': {
        const url = new URL(draft.url);
        url.searchParams.set(use.name, filled(use.value));
        return { ...draft, url };
      }
      case 'client_credentials': {
        const url = URL.parse(filled(use.token_url));
        if (url === null) throw refused(`the secret "${secret}" has no valid token_url`);
        this.find(secret, url.origin);
        const parameters = use.parameters.map(([name, text]): [string, string] => [
          name,
          filled(text),
        ]);
        const scope = filled(use.scope);
        const client = {
          id: fieldOf('client_id', secret, known),
          send: use.client,
          secret: fieldOf('client_secret', secret, known),
        };
        const token = await this.tokens.get(use, { url, client, scope, parameters }, signal);
        return withHeader(draft, 'authorization', `Bearer ${token}`);
      }
      case 'sigv4':
        return await this.sign(draft, use, known);
    }
  }

  private find(secret: string, origin: string): Known {
    const known = this.known.get(secret);
    if (known === undefined) throw refused(`has no secret "${secret}"`);
    if (known.origins.has(origin)) return known;
    throw refused(
      `does not send the secret "${secret}" to ${origin}, which is not one of its origins`,
    );
  }

  /** The secret with its fields of Vault. @throws BridgeFailure `secret` */
  private async readVault(secret: string, known: Known): Promise<Known> {
    const { vault } = this;
    if (vault === undefined || known.inVault.size === 0) return known;
    const fields = new Map(known.fields);
    for (const [field, place] of known.inVault) {
      const value = await vault.read(place).catch((error: unknown) => {
        if (!(error instanceof VaultError)) throw error;
        throw refused(
          `cannot read the secret "${secret}" (${vault.describe(place)}): ${error.message}`,
        );
      });
      if (isTooShort(field, value))
        throw refused(
          `cannot mask the secret "${secret}" (${vault.describe(place)}), which has fewer than ${minSecretLength} characters`,
        );
      if (!openFields.has(field)) this.masker.add(value, place);
      fields.set(field, value);
    }
    return { ...known, fields };
  }

  private async sign(
    draft: Draft,
    { secret, service: named, region }: Extract<SecretUse, { send: 'sigv4' }>,
    known: Known,
  ): Promise<Draft> {
    const service = named || draft.url.hostname.split('.')[0] || '';
    // S3 takes a body that is not part of the signature.
    const body =
      service === 's3' || draft.body === undefined ? undefined : await readWhole(draft.body);
    const session = known.fields.get('session');
    const signed = await new AwsV4Signer({
      method: draft.method,
      url: draft.url.href,
      headers: draft.headers,
      service,
      region,
      ...(body === undefined ? {} : { body: body as never }),
      accessKeyId: fieldOf('access_key_id', secret, known),
      secretAccessKey: fieldOf('secret_access_key', secret, known),
      ...(session === undefined ? {} : { sessionToken: session }),
    }).sign();
    const headers = Object.fromEntries(
      [...signed.headers].map(([name, value]) => [name.toLowerCase(), value]),
    );
    return {
      ...draft,
      headers,
      url: new URL(signed.url),
      body: body === undefined ? draft.body : one(body),
    };
  }
}

function withHeader(draft: Draft, name: string, value: string): Draft {
  return { ...draft, headers: { ...draft.headers, [name]: value } };
}

function fill(text: string, secret: string, known: Known): string {
  return text.replace(/\{\{([a-z_]+)\}\}/g, (_all, name: string) => fieldOf(name, secret, known));
}

function fieldOf(name: string, secret: string, { fields }: Known): string {
  const value = fields.get(name);
  if (value === undefined) throw refused(`has no field ${name} in the secret "${secret}"`);
  return value;
}

function refused(what: string): BridgeFailure {
  return new BridgeFailure('secret', `the bridge agent on ${hostname()} ${what}`, false);
}

function readEntry(
  { name, origins, fields }: SecretEntry,
  environment: Readonly<Record<string, string | undefined>>,
): Known {
  const read = new Map<string, string>();
  const inVault = new Map<string, VaultPlace>();
  for (const [field, source] of Object.entries(fields)) {
    if (source.vault !== undefined) {
      inVault.set(field, source.vault);
      continue;
    }
    const value = readField(source, environment);
    read.set(field, value);
    if (value !== '' && !isTooShort(field, value)) continue;
    throw new StartError(
      `The field ${field} of the secret ${name} ${value === '' ? 'is missing' : `has fewer than ${minSecretLength} characters, too few to be masked`}: put it into ${source.env ?? source.file ?? 'the file of the agent'}.`,
    );
  }
  return { origins: new Set(origins.map((one) => new URL(one).origin)), fields: read, inVault };
}

/** @throws StartError */
function refuseVault(known: ReadonlyMap<string, Known>): void {
  for (const [name, { inVault }] of known)
    for (const field of inVault.keys())
      throw new StartError(
        `The field ${field} of the secret ${name} is in Vault, and the file does not say where Vault is: add vault with its address.`,
      );
}

function isTooShort(field: string, value: string): boolean {
  return !openFields.has(field) && value.length < minSecretLength;
}

function readField(
  { value, file, env }: FieldSource,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (file !== undefined) return readText(file).replace(/\r?\n$/, '');
  return value ?? environment[env ?? ''] ?? '';
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxSignedBytes)
      throw new BridgeFailure(
        'refused',
        `the agent signs bodies of ${maxSignedBytes} bytes`,
        false,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
