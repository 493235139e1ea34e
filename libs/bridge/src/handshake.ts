import {
  createHash,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';

/** The path of the gateway's address at which agents connect. */
export const connectPath = '/bridges/connect';

/** How long each end waits for the next message of the other until the agent is admitted. */
export const handshakeMs = 10_000;

/** The description that an agent gives of itself. */
export interface AgentFacts {
  version: string;
  host_name: string;
  /** ISO 8601. */
  started_at: string;
  /** Its allow-list, as in its file. */
  allow_addresses: string[];
  /** Names of its secrets, with where each comes from. Never a value. */
  vault: Record<string, string>;
}

/** Counters of an agent since its start. */
export interface AgentStats {
  requests: number;
  failures: number;
  in_bytes: number;
  out_bytes: number;
  last_error?: string;
}

/** The answer of an agent to the challenge of the gateway. */
export interface Hello {
  protocol: number;
  /** Identifies the process: a key that two processes use at once was copied. */
  instance: string;
  /** The agent's own key, SPKI in base64url. */
  key: string;
  facts: AgentFacts;
}

const maxListed = 200;
const maxTextLength = 300;

export function makeNonce(): string {
  return randomBytes(32).toString('base64url');
}

/** The fingerprint of an agent's key. */
export function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Writes the answer of an agent, with the proof that it has its key. @param credential that of the group, which the proof is bound to */
export function writeHello(
  hello: Omit<Hello, 'key'>,
  proof: { privateKey: KeyObject; nonce: string; credential: string },
): Record<string, unknown> {
  const { privateKey, nonce, credential } = proof;
  const key = createPublicKey(privateKey)
    .export({ type: 'spki', format: 'der' })
    .toString('base64url');
  const signature = sign(null, signedText(nonce, credential), privateKey).toString('base64url');
  return { type: 'hello', ...hello, key, signature };
}

/** Reads the answer of an agent that is not trusted. @throws Error that says what is wrong with it */
export function readHello(
  message: Readonly<Record<string, unknown>>,
  { nonce, credential }: { nonce: string; credential: string },
): Hello {
  const { protocol, instance, key, signature, facts } = message;
  if (typeof key !== 'string' || typeof signature !== 'string' || typeof instance !== 'string')
    throw new Error('the agent did not say who it is');
  if (key.length > maxTextLength || instance.length > maxTextLength || instance === '')
    throw new Error('the agent did not say who it is');
  if (!isSigned(key, signature, signedText(nonce, credential)))
    throw new Error('the agent did not prove that it has its key');
  if (typeof protocol !== 'number')
    throw new Error('the agent did not say which version of the protocol it speaks');
  return { protocol, instance, key, facts: readFacts(facts) };
}

/** Reads the counters of an agent that is not trusted. */
export function readStats(value: unknown): AgentStats {
  const given = Object(value) as Record<string, unknown>;
  const count = (name: string) => {
    const number = Number(given[name]);
    return Number.isSafeInteger(number) && number >= 0 ? number : 0;
  };
  const { last_error: lastError } = given;
  return {
    requests: count('requests'),
    failures: count('failures'),
    in_bytes: count('in_bytes'),
    out_bytes: count('out_bytes'),
    ...(typeof lastError === 'string' ? { last_error: text(lastError) } : {}),
  };
}

function readFacts(value: unknown): AgentFacts {
  const { version, host_name, started_at, allow_addresses, vault } = Object(value) as Record<
    string,
    unknown
  >;
  const names = Object.entries(Object(vault) as Record<string, unknown>).slice(0, maxListed);
  return {
    version: text(version),
    host_name: text(host_name),
    started_at: text(started_at),
    allow_addresses: Array.isArray(allow_addresses)
      ? allow_addresses.slice(0, maxListed).map(text)
      : [],
    vault: Object.fromEntries(names.map(([name, from]) => [text(name), text(from)])),
  };
}

/** PostgreSQL stores no U+0000. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, maxTextLength) : '';
}

function signedText(nonce: string, credential: string): Buffer {
  const bound = createHash('sha256').update(credential).digest('base64url');
  return Buffer.from(`onefold bridge agent ${nonce} ${bound}`);
}

function isSigned(key: string, signature: string, signed: Buffer): boolean {
  try {
    const der = Buffer.from(key, 'base64url');
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (publicKey.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, signed, publicKey, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
