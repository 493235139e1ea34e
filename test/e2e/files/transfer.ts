import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

type Headers = Record<string, string>;

export interface Download {
  status: number;
  /** The digest of a file that came whole. */
  sha256?: string;
}

/** Downloads a file. @param onPart called with the bytes that have come after each part of it, and waited for */
export async function download(
  url: string,
  headers: Headers,
  onPart: (bytes: number) => Promise<void> | void = () => undefined,
): Promise<Download> {
  const { status, body } = await fetch(url, { headers });
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.length;
      await onPart(bytes);
    }
  } catch {
    return { status }; // It broke off, which the missing digest says.
  }
  return { status, sha256: hash.digest('hex') };
}

/** Uploads a file. A refusal may arrive before its end. */
export async function upload(
  url: string,
  headers: Headers,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<{ status: number | undefined; text: string }> {
  const type = { 'content-type': 'application/octet-stream' };
  const sending = request(url, { method: 'POST', headers: { ...type, ...headers } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve).on('error', reject);
  });
  const sent = pipeline(Readable.from(chunks), sending).catch(() => undefined); // The response says why.
  const response = await answered;
  const answer = { status: response.statusCode, text: await text(response) };
  // Node's client stops sending once it has a response, and waits forever.
  // On Node 24 the pipeline then waits for a source that does not go on, so nobody waits for it.
  if (sending.writableFinished) await sent;
  else sending.destroy();
  return answer;
}

export function digestOf(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
