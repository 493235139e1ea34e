import { BridgeFailure } from '#bridge';

/** Shorter texts are part of too many others to be masked. */
export const minSecretLength = 6;
/** A server could let the agent make any number of texts of its secrets, and each is looked for in every response. */
const maxMade = 100;

/**
 * Masks secrets in what hosts answer, in the forms in which hosts show what they were sent. A mask is as long as what it
 * covers, so that lengths and ranges stay true.
 */
export class Masker {
  private forms: readonly Buffer[] = [];
  /** The values of each secret: the present one, and the one before. */
  private readonly secrets = new Map<string | object, readonly string[]>();
  /** When each expires, in epoch milliseconds. */
  private readonly made = new Map<string, number>();
  private maxLength = 0;

  get isEmpty(): boolean {
    return this.forms.length === 0;
  }

  /** @param owner what has the secret, if it may have another one later: the one before stays masked, because a host may still show it */
  add(secret: string, owner: string | object = secret): void {
    const known = this.secrets.get(owner) ?? [];
    if (known[0] === secret) return;
    this.secrets.set(owner, [secret, ...known.slice(0, 1)]);
    this.build();
  }

  /**
   * Masks what was made of secrets, such as an access token, until it expires. What is too much is refused: to forget an older one would
   * let a host show it. @throws BridgeFailure
   */
  addMade(text: string, expiresAt = Number.POSITIVE_INFINITY): void {
    if (this.made.has(text)) return;
    for (const [one, end] of this.made) if (end <= Date.now()) this.made.delete(one);
    if (this.made.size >= maxMade)
      throw new BridgeFailure(
        'secret',
        `the bridge agent has made ${maxMade} texts of its secrets, and makes no more: use fewer scopes or user names, or start it again`,
        false,
      );
    this.made.set(text, expiresAt);
    this.build();
  }

  private build(): void {
    const long = [...[...this.secrets.values()].flat(), ...this.made.keys()].filter(
      (one) => one.length >= minSecretLength,
    );
    // A long form first, because it may hold a shorter one.
    this.forms = [...new Set(long.flatMap(formsOf))]
      .map((one) => Buffer.from(one))
      .sort((one, other) => other.length - one.length);
    this.maxLength = this.forms[0]?.length ?? 0;
  }

  text(text: string): string {
    if (this.isEmpty) return text;
    // Headers come as Latin-1, in which the bytes of any other character are several.
    return this.mask(Buffer.from(text)).toString();
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [this.text(name), this.text(value)]),
    );
  }

  /** Masks a body as it passes: as many bytes as a secret may have wait for the next chunk. */
  async *body(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let held: Buffer = Buffer.alloc(0);
    for await (const chunk of body) {
      if (this.isEmpty) {
        yield chunk;
        continue;
      }
      const bytes = this.mask(Buffer.concat([held, chunk]));
      const kept = Math.max(0, bytes.length - this.maxLength + 1);
      if (kept > 0) yield bytes.subarray(0, kept);
      held = bytes.subarray(kept);
    }
    if (held.length > 0) yield held;
  }

  private mask(bytes: Buffer): Buffer {
    for (const form of this.forms)
      for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + form.length))
        bytes.fill('*', at, at + form.length);
    return bytes;
  }
}

/** A secret as it is, and as addresses, JSON, Base64 and hexadecimal digits show it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const form = new URLSearchParams({ a: secret }).toString().slice(2);
  const encoded = encodeURIComponent(secret);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase());
  return [
    secret,
    encoded,
    lower(encoded),
    form,
    lower(form),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...insideBase64(bytes),
  ];
}

/** The digits of Base64 that do not depend on what is before and after the secret, for each of its three positions. */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const inside = digits.slice(first, last);
    return [inside, inside.replaceAll('-', '+').replaceAll('_', '/')];
  });
}
