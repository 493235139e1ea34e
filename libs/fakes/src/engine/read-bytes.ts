import type { FakeRequest } from './messages.js';

/** Reads a body as a whole. */
export async function readBytes(body: FakeRequest['body']): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
