import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CompiledWebhooks } from '#provider-document';
import type { Secret } from '#secrets';

type Signature = NonNullable<CompiledWebhooks['source']['signature']>;

/** Before the base64 of a key in Standard Webhooks. Others write it before a key that is the whole text. */
const standardPrefix = 'whsec_';
const maxSignatures = 20;

/** True if one of the signatures in a header is that of the content under one of the secrets. */
export function isSigned(
  header: string,
  content: Uint8Array,
  { prefix = '', encoding = 'hex', algorithm = 'sha256', secret: form = 'text' }: Signature,
  secrets: readonly Secret[],
): boolean {
  const given = signaturesIn(header, prefix).map((one) => Buffer.from(one, encoding));
  return secrets
    .flatMap((secret) => keysOf(secret.reveal(), form))
    .some((key) => {
      const expected = createHmac(algorithm, key).update(content).digest();
      return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
    });
}

/** Finds the signatures behind each prefix, which may have a comma itself. Commas, semicolons and blanks separate them. */
function signaturesIn(header: string, prefix: string): string[] {
  if (prefix === '') return header.split(/[\s,;]+/).slice(0, maxSignatures);
  const found: string[] = [];
  for (let at = header.indexOf(prefix); at >= 0 && found.length < maxSignatures;) {
    const from = at + prefix.length;
    if (at === 0 || /[\s,;]/.test(header[at - 1] ?? ''))
      found.push(/^[^\s,;]*/.exec(header.slice(from, from + 1_000))?.[0] ?? '');
    at = header.indexOf(prefix, from);
  }
  return found;
}

/** An empty key, which bytes in another form than the document says would be, is everybody's. */
function keysOf(secret: string, form: NonNullable<Signature['secret']>): Buffer[] {
  const text = Buffer.from(secret);
  const keys = secret.startsWith(standardPrefix)
    ? [Buffer.from(secret.slice(standardPrefix.length), 'base64'), text]
    : [form === 'text' ? text : Buffer.from(secret, form)];
  return keys.filter(({ length }) => length > 0);
}
