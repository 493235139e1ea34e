import { Redactor } from '../../libs/connect/src/http/redact.js';
import { secretMark } from './replay.js';

/** Of a credential, what is no secret. */
const openKeys = new Set(['type', 'client_id', 'token_url', 'role_arn', 'access_key_id']);
const anybody = 'agent@example.com';

/** Takes out of what is recorded whatever belongs to the one who records: secrets, addresses, names. */
export class Scrubber {
  private readonly redactor = new Redactor();
  private readonly origins: [live: string, shown: string][] = [];
  private readonly words: [live: string, shown: string][] = [];

  /** @param configuration `provider_config`. @param words what else is replaced, by what */
  constructor(
    name: string,
    private readonly configuration: Record<string, unknown>,
    words: Readonly<Record<string, string>> = {},
  ) {
    for (const value of Object.values(configuration)) {
      if (typeof value === 'string' && /^https?:\/\//.test(value)) this.addOrigin(name, value);
      for (const [key, text] of Object.entries(isObject(value) ? value : {})) {
        if (typeof text !== 'string' || openKeys.has(key)) continue;
        if (key === 'username') this.words.push([text, anybody]);
        else this.redactor.add(text);
      }
    }
    this.words.push(...Object.entries(words));
  }

  addSecret(secret: string): void {
    this.redactor.add(secret);
  }

  text(text: string): string {
    const pairs = [
      ...this.origins,
      ...this.origins.map(([live, shown]) => [hostOf(live), hostOf(shown)] as const),
      ...this.words,
    ];
    return pairs.reduce(
      (changed, [live, shown]) => changed.replaceAll(live, shown),
      this.redactor.text(text),
    );
  }

  /** An address of the fixture as it is in truth. */
  liveText(text: string): string {
    return this.origins.reduce((changed, [live, shown]) => changed.replaceAll(shown, live), text);
  }

  /** The configuration as it is kept. */
  kept(): Record<string, unknown> {
    return this.change((key, value) =>
      openKeys.has(key) ? value : key === 'username' ? anybody : secretMark,
    );
  }

  /** The configuration that the engine records with: its addresses are those of the fixture. @param credential other secrets */
  recording(credential: Readonly<Record<string, string>> = {}): Record<string, unknown> {
    return this.change((key, value) => credential[key] ?? value);
  }

  private change(field: (key: string, value: string) => string): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.configuration).map(([name, value]) => {
        if (typeof value === 'string') return [name, this.text(value)];
        if (!isObject(value) || !('type' in value)) return [name, value];
        const fields = Object.entries(value).map(([key, one]) => [
          key,
          typeof one === 'string' ? field(key, one) : one,
        ]);
        return [name, Object.fromEntries(fields)];
      }),
    );
  }

  private addOrigin(name: string, value: string): void {
    const { origin } = new URL(value);
    const number = this.origins.length;
    const shown = `https://${name}${number === 0 ? '' : `-${number + 1}`}.example`;
    if (!this.origins.some(([live]) => live === origin)) this.origins.push([origin, shown]);
  }
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
