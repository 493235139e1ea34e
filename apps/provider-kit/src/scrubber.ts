import { Redactor, minSecretLength } from '#provider-http';
import { GivenTokens } from './given-tokens.js';
import { secretMark } from './fixture.js';

/** Keys of a credential that contain neither a secret nor a name. */
const openKeys = new Set(['type', 'token_url']);
/** Replaces the names of the people who record. */
const anybody: Readonly<Record<string, string>> = {
  username: 'agent@example.com',
  client_id: 'client-of-somebody',
  access_key_id: 'AKIDOFSOMEBODY',
  role_arn: 'arn:aws:iam::000000000000:role/somebody',
};
/** Minimum length of a name: a shorter one would be found inside of other words. */
const shortestName = 4;

/** The configuration cannot be used for recording, for the reason in the message. */
export class ScrubRefused extends Error {}

/** Removes everything from a recording that belongs to the person who records: secrets, addresses, names. */
export class Scrubber {
  private readonly redactor = new Redactor();
  private readonly given = new GivenTokens();
  private readonly origins: [live: string, shown: string][] = [];
  private readonly words: [live: string, shown: string][] = [];

  /** Creates a scrubber. @param configuration `provider_config` @param words further texts, with their replacements */
  constructor(
    private readonly name: string,
    private readonly configuration: Record<string, unknown>,
    words: Readonly<Record<string, string>> = {},
  ) {
    for (const [slot, value] of Object.entries(configuration)) {
      if (typeof value === 'string') this.addOrigin(value);
      if (isCredential(value)) this.addCredential(slot, value);
    }
    this.words.push(...Object.entries(words));
  }

  addSecret(secret: string): void {
    this.redactor.add(secret);
  }

  /** Adds secrets in the forms that headers contain: the value of Authorization, a name and a password in base64. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    const { authorization = '', ...others } = headers;
    const [, scheme = '', sent = ''] = /^(\S+) (.*)$/.exec(authorization) ?? [
      '',
      '',
      authorization,
    ];
    const signature = /Signature=([0-9a-f]+)/.exec(sent)?.[1];
    this.redactor.add(scheme.startsWith('AWS4-') ? (signature ?? '') : sent);
    for (const word of Object.values(others).flatMap((value) => value.split(/[\s,]+/)))
      if (this.isEncoded(word)) this.redactor.add(word);
  }

  /** Scrubs a request. */
  text(text: string): string {
    const pairs = [
      ...this.origins,
      ...this.origins.map(([live, shown]) => [hostOf(live), hostOf(shown)] as const),
      ...this.words,
    ];
    return pairs.reduce(
      (changed, [live, shown]) => changed.replaceAll(live, shown),
      this.given.hide(this.redactor.mask(text)),
    );
  }

  /** Scrubs a response, which may contain new secrets. */
  answer(text: string): string {
    this.given.find(text);
    return this.text(text);
  }

  /** Restores the real text of a fixture. @param form encoding of the provider's secrets in that place */
  liveText(text: string, form: 'url' | 'json' | 'text' = 'text'): string {
    return this.origins.reduce(
      (changed, [live, shown]) => changed.replaceAll(shown, live),
      this.given.show(text, form),
    );
  }

  /** Returns the configuration in the form that fixtures keep. */
  kept(): Record<string, unknown> {
    return mapTexts(this.configuration, (text, key, inCredential) =>
      !inCredential || openKeys.has(key) || this.isAddress(text)
        ? this.text(text)
        : (anybody[key] ?? secretMark),
    );
  }

  /**
   * Returns the configuration for the recording engine, with the addresses of the fixture.
   * @param credential other secrets
   */
  recording(credential: Readonly<Record<string, string>> = {}): Record<string, unknown> {
    return mapTexts(this.configuration, (text, key, inCredential) =>
      inCredential
        ? (credential[key] ?? text)
        : this.origins.reduce((changed, [live, shown]) => changed.replaceAll(live, shown), text),
    );
  }

  private addCredential(slot: string, credential: Record<string, unknown>): void {
    for (const [key, text] of textsOf(credential)) {
      if (this.isAddress(text)) this.addOrigin(text);
      else if (openKeys.has(key)) continue;
      else if (anybody[key] !== undefined) {
        if (text.length >= shortestName) this.words.push([text, anybody[key]]);
      } else if (text.length >= minSecretLength) this.redactor.add(text);
      else
        throw new ScrubRefused(
          `${slot}.${key} has ${text.length} letters, which is too short to be found in a recording: use a secret of at least ${minSecretLength}`,
        );
    }
  }

  private addOrigin(value: string): void {
    if (!this.isAddress(value)) return;
    const { origin } = new URL(value);
    const number = this.origins.length;
    // A folder may have a name that a host cannot have, and hosts are in lower case.
    const name = this.name.toLowerCase().replace(/[^a-z\d]+/g, '-');
    const shown = `https://${name}${number === 0 ? '' : `-${number + 1}`}.example`;
    if (!this.origins.some(([live]) => live === origin)) this.origins.push([origin, shown]);
  }

  private isEncoded(word: string): boolean {
    const text = Buffer.from(word, 'base64').toString();
    return this.redactor.mask(text) !== text;
  }

  private isAddress(text: string): boolean {
    return /^https?:\/\//.test(text) && URL.canParse(text);
  }
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}

function isCredential(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists all texts below a value, each with its key. */
function textsOf(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => textsOf(one, name));
}

function mapTexts(
  configuration: Record<string, unknown>,
  change: (text: string, key: string, inCredential: boolean) => string,
): Record<string, unknown> {
  const map = (value: unknown, key: string, inCredential: boolean): unknown => {
    if (typeof value === 'string') return change(value, key, inCredential);
    if (Array.isArray(value)) return value.map((one) => map(one, key, inCredential));
    if (!isObject(value)) return value;
    const within = inCredential || isCredential(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, map(one, name, within)]),
    );
  };
  // The configuration has a type too, but is not a credential.
  return Object.fromEntries(
    Object.entries(configuration).map(([name, one]) => [name, map(one, name, false)]),
  );
}
