/** A request whose signature is missing, wrong or too old. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

export interface WebhookOptions {
  /** How old, or ahead of this clock, a request may be; 300 when absent. */
  toleranceSeconds?: number;
  /** Epoch milliseconds; the clock when absent. */
  now?: number;
}

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const encoder = new TextEncoder();

/**
 * Checks a request to a webhook by its Standard Webhooks signature, and returns its event.
 * @param body the body as it came, byte for byte @param secrets the secret of the webhook, or all that are accepted while it is changed
 * @throws WebhookRefused
 */
export async function verifyWebhook<Event = { event: string }>(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<{ id: string; event: Event }> {
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature');
  if (!(Math.abs(now / 1_000 - Number(time)) <= toleranceSeconds))
    throw new WebhookRefused(`the time of the request, ${time}, is too far from now`);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const head = encoder.encode(`${id}.${time}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const signatures = given.split(' ').flatMap((one) => {
    const [version, text = ''] = one.split(',');
    const signature = version === 'v1' ? bytesOfBase64(text) : undefined;
    return signature === undefined ? [] : [signature];
  });
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures)
      // The platform compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return { id, event: JSON.parse(new TextDecoder().decode(bytes)) as Event };
  }
  throw new WebhookRefused('no signature of the request is by the secret of the webhook');
}

function headerOf(headers: GivenHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '')
    throw new WebhookRefused(`the request has no header ${name}`);
  return value;
}

/** The key is the text itself, or what is behind `whsec_` in base64. */
async function keyOf(secret: string) {
  const prefix = 'whsec_';
  const bytes = secret.startsWith(prefix)
    ? bytesOfBase64(secret.slice(prefix.length))
    : encoder.encode(secret);
  if (bytes === undefined) throw new TypeError('the secret behind whsec_ is not base64');
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
