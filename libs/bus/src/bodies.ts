import { type OperationId, operationOf } from '#contract';
import type { Bytes, Envelope } from './bus.js';
import { internalCallRules, type InternalCalls } from './internal-calls.js';

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
  return seal(bodies, carriesSecrets(envelope.operation), contextOf(envelope), body);
}

/** A body as it leaves the bus. */
export function opened(
  bodies: Bodies | undefined,
  envelope: Envelope,
  body: Uint8Array,
): Uint8Array {
  return open(bodies, carriesSecrets(envelope.operation), contextOf(envelope), body);
}

/** An answer as it enters the bus: where it may give out a secret, nobody reads it on its way. */
export function sealedReply(
  bodies: Bodies | undefined,
  envelope: Envelope,
  status: number,
  body: Bytes | undefined,
): Bytes | undefined {
  const issues = status < 300 && operationOf(envelope.operation).issues;
  return seal(bodies, issues, replyContextOf(envelope), body);
}

/** An answer as it leaves the bus. */
export async function openedReply(
  bodies: Bodies | undefined,
  envelope: Envelope,
  status: number,
  body: Bytes | undefined,
): Promise<Bytes | undefined> {
  const issues = status < 300 && operationOf(envelope.operation).issues;
  if (!issues || body === undefined) return body;
  return open(bodies, issues, replyContextOf(envelope), await collect(body));
}

/** The input or output of an internal call as it enters the bus. */
export function sealInternal(
  bodies: Bodies | undefined,
  name: string,
  direction: 'input' | 'output',
  body: Uint8Array,
): Uint8Array {
  return seal(bodies, hasSecrets(name), `internal ${name} ${direction}`, body) as Uint8Array;
}

export function openInternal(
  bodies: Bodies | undefined,
  name: string,
  direction: 'input' | 'output',
  body: Uint8Array,
): Uint8Array {
  return open(bodies, hasSecrets(name), `internal ${name} ${direction}`, body);
}

/** All bytes of a body. */
export async function collect(body: Bytes | undefined): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function seal(
  bodies: Bodies | undefined,
  hasSecret: boolean,
  context: string,
  body: Bytes | undefined,
): Bytes | undefined {
  return bodies && hasSecret && body instanceof Uint8Array ? bodies.seal(context, body) : body;
}

function open(
  bodies: Bodies | undefined,
  hasSecret: boolean,
  context: string,
  body: Uint8Array,
): Uint8Array {
  return bodies && hasSecret && body.length > 0 ? bodies.open(context, body) : body;
}

function hasSecrets(name: string): boolean {
  return internalCallRules[name as keyof InternalCalls].hasSecrets;
}

function replyContextOf(envelope: Envelope): string {
  return `answer ${contextOf(envelope)}`;
}

function contextOf({ operation, requestId }: Envelope): string {
  return `${operation} ${requestId}`;
}
