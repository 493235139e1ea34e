import { type Dispatcher, request } from 'undici';
import { EgressRefused, type EgressPolicy } from '#egress';

const timeoutMs = 10_000;
const maxResponseBytes = 1_048_576;

/** The response of a receiver, or why there is none. */
export type Relayed = { status: number; contentType: string; body: Buffer } | { error: string };

/** Passes a message on to a receiver as it is. Never throws; redirects are not followed. */
export async function relayMessage(
  {
    url,
    headers,
    body,
  }: { url: string; headers: Readonly<Record<string, string>>; body: Uint8Array },
  { dispatcher, policy }: { dispatcher: Dispatcher; policy: EgressPolicy },
): Promise<Relayed> {
  try {
    policy.checkUrl(url);
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers },
      body: Buffer.from(body),
      signal: AbortSignal.timeout(timeoutMs),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes)
        return { error: `the receiver answered more than ${maxResponseBytes} bytes` };
      chunks.push(chunk);
    }
    const type = response.headers['content-type'];
    const contentType = typeof type === 'string' ? type : '';
    return { status: response.statusCode, contentType, body: Buffer.concat(chunks) };
  } catch (error) {
    const { name, code } = error as Error & { code?: string };
    if (error instanceof EgressRefused) return { error: error.message };
    if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code ?? ''))
      return { error: `the receiver did not answer within ${timeoutMs / 1_000} seconds` };
    return { error: `the receiver cannot be reached${code === undefined ? '' : ` (${code})`}` };
  }
}
