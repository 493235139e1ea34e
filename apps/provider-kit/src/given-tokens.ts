import { minSecretLength } from '#provider-http';

/** Names of fields and parameters with secrets that a provider issues. */
const names = [
  'access_?token',
  'refresh_?token',
  'id_?token',
  'auth_?token',
  'session_?token',
  'csrf_?token',
  'api_?token',
  'session_?id',
  'session_?key',
  'jwt',
  'bearer',
  'token',
  'secret',
  'client_?secret',
  'password',
  'api_?key',
  'private_?key',
  'authorization',
  'cookie',
  'signature',
  'sig',
  'x-amz-signature',
  'x-amz-security-token',
  'x-amz-credential',
  'x-goog-signature',
  'x-goog-credential',
].join('|');
const inJson = new RegExp(`"(?:${names})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'gi');
const inAddresses = new RegExp(`(?:[?&#;]|\\\\u0026)(?:${names})=([^&#"'<>\\s\\\\]+)`, 'gi');

/**
 * Secrets that a provider has issued: the token of a session, the signature of an address. A fixture and the engine
 * have a placeholder for each, which is replaced in calls of the live address.
 */
export class GivenTokens {
  private readonly shown = new Map<string, string>();

  /** Finds secrets in a response. */
  find(text: string): void {
    for (const [, value = ''] of text.matchAll(inJson))
      this.add(JSON.parse(`"${value}"`) as string);
    for (const [, value = ''] of text.matchAll(inAddresses)) this.add(decoded(value));
  }

  hide(text: string): string {
    let result = text;
    for (const [live, shown] of this.shown)
      for (const form of new Set([live, encodeURIComponent(live), quoted(live)]))
        result = result.replaceAll(form, shown);
    return result;
  }

  show(text: string, form: 'url' | 'json' | 'text'): string {
    const write = { url: encodeURIComponent, json: quoted, text: (live: string) => live }[form];
    // The latest first: given-token-12 begins with given-token-1.
    return [...this.shown]
      .reverse()
      .reduce((changed, [live, shown]) => changed.replaceAll(shown, write(live)), text);
  }

  private add(live: string): void {
    const isHidden = live.startsWith('[secret]') || [...this.shown.values()].includes(live);
    if (live.length < minSecretLength || isHidden || this.shown.has(live)) return;
    this.shown.set(live, `given-token-${this.shown.size + 1}`);
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // A percent sign that encodes nothing.
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
