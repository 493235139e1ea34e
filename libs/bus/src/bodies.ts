import { type OperationId, operationOf } from '#contract';
import type { Bytes, Envelope } from './bus.js';

/** What seals and opens the bodies of operations that carry secrets, such as SealedBodies of `#secrets`. */
export interface Bodies {
  seal(context: string, body: Uint8Array): Uint8Array;
  open(context: string, sealed: Uint8Array): Uint8Array;
}

/** True for operations whose request bodies do not travel in the clear. */
export function carriesSecrets(id: OperationId): boolean {
  return operationOf(id).secrets.length > 0;
}

/** A body as it enters the bus. Bodies with secrets are whole by then: they were validated. */
export function sealed(
  bodies: Bodies | undefined,
  envelope: Envelope,
  body: Bytes | undefined,
): Bytes | undefined {
  if (!bodies || !(body instanceof Uint8Array) || !carriesSecrets(envelope.operation)) return body;
  return bodies.seal(contextOf(envelope), body);
}

/** A body as it leaves the bus. */
export function opened(
  bodies: Bodies | undefined,
  envelope: Envelope,
  body: Uint8Array,
): Uint8Array {
  if (!bodies || body.length === 0 || !carriesSecrets(envelope.operation)) return body;
  return bodies.open(contextOf(envelope), body);
}

/** An answer as it enters the bus: where it may give out a secret, nobody reads it on its way. */
export function sealedReply(
  bodies: Bodies | undefined,
  envelope: Envelope,
  status: number,
  body: Bytes | undefined,
): Bytes | undefined {
  if (!bodies || !issuesSecrets(envelope, status) || !(body instanceof Uint8Array)) return body;
  return bodies.seal(replyContextOf(envelope), body);
}

/** An answer as it leaves the bus. */
export async function openedReply(
  bodies: Bodies | undefined,
  envelope: Envelope,
  status: number,
  body: Bytes | undefined,
): Promise<Bytes | undefined> {
  if (!bodies || !issuesSecrets(envelope, status) || body === undefined) return body;
  return bodies.open(replyContextOf(envelope), await collect(body));
}

function issuesSecrets({ operation }: Envelope, status: number): boolean {
  return status < 300 && operationOf(operation).issues;
}

function replyContextOf(envelope: Envelope): string {
  return `answer ${contextOf(envelope)}`;
}

/** All bytes of a body. */
export async function collect(body: Bytes | undefined): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function contextOf({ operation, requestId }: Envelope): string {
  return `${operation} ${requestId}`;
}
