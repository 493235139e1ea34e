import { BridgeFailure } from './failure.js';
import { isOwnHeader } from './own-header.js';

/**
 * How an agent sends a secret that it keeps. Texts hold `{{field}}` where the agent puts in a field of the secret, such as
 * `Bearer {{secret}}`; `field` is one of those of the credential's kind: `username`, `secret`, `client_id`, …
 */
export type SecretUse = {
  /** The name of the secret in the file of the agent. */
  secret: string;
} & (
  | { send: 'basic'; username: string; password: string }
  | { send: 'header' | 'query'; name: string; value: string }
  | {
      send: 'client_credentials';
      token_url: string;
      scope: string;
      parameters: [string, string][];
      client: 'basic' | 'body';
    }
  | { send: 'sigv4'; service: string; region: string }
);

/** Secrets that one request uses. */
const maxUses = 8;
const textFields: Readonly<Record<SecretUse['send'], readonly string[]>> = {
  basic: ['username', 'password'],
  header: ['name', 'value'],
  query: ['name', 'value'],
  client_credentials: ['token_url', 'scope'],
  sigv4: ['service', 'region'],
};

/** The place of a field of a secret in a text. */
export function fieldPlace(name: string): string {
  return `{{${name}}}`;
}

/** Reads what a server that is not trusted wants of secrets. @throws BridgeFailure `invalid` */
export function readSecretUses(value: unknown): SecretUse[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > maxUses || !value.every(isUse))
    throw new BridgeFailure('invalid', 'the request has no valid use of secrets', false);
  return value;
}

function isUse(value: unknown): value is SecretUse {
  const use = Object(value) as Record<string, unknown>;
  const send = use['send'];
  if (typeof send !== 'string' || !Object.hasOwn(textFields, send)) return false;
  const names = ['secret', ...textFields[send as SecretUse['send']]];
  if (!names.every((name) => typeof use[name] === 'string')) return false;
  if (send === 'header') return isOwnHeader(String(use['name']));
  if (send !== 'client_credentials') return true;
  const { parameters, client } = use;
  return (
    (client === 'basic' || client === 'body') &&
    Array.isArray(parameters) &&
    parameters.every(isPair)
  );
}

function isPair(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')
  );
}
