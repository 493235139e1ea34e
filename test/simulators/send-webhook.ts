import { createHmac, randomUUID } from 'node:crypto';

/** A webhook message of a simulator. */
export interface WebhookMessage {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Returns the header with the signature of the bytes. */
  sign?: (bytes: Buffer) => Record<string, string>;
}

/** Returns the hex HMAC-SHA256 of a message, with which many vendors sign. */
export function hexSignature(secret: string, bytes: Buffer): string {
  return createHmac('sha256', secret).update(bytes).digest('hex');
}

export const messageId = randomUUID;

/**
 * Sends a message to the address of a webhook. It does not delay the response of the request that caused it, and a receiver that
 * refuses it is written to standard error.
 */
export function sendWebhook({ url, headers, body, sign }: WebhookMessage): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const all = { 'content-type': 'application/json', ...headers, ...sign?.(bytes) };
  setImmediate(() => {
    fetch(url, { method: 'POST', headers: all, body: bytes }).then(
      async (response) => {
        if (!response.ok)
          process.stderr.write(`webhook answered ${response.status}: ${await response.text()}\n`);
      },
      (error: unknown) => process.stderr.write(`webhook not sent: ${String(error)}\n`),
    );
  });
}
