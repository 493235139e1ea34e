import { type OperationId, operationOf } from '#contract';
import type { Bytes, Envelope } from '../bus.js';
import { internalCallRules } from './internal-call-rules.js';
import type { InternalCalls } from './internal-calls.js';

/** Encrypts and decrypts bodies with secrets, such as SealedBodies of `#secrets`. */
export interface Bodies {
  seal(context: string, body: Uint8Array): Uint8Array;
  open(context: string, sealed: Uint8Array): Uint8Array;
}

const empty = Buffer.alloc(0);

/** True for operations whose request bodies are encrypted. */
export function carriesSecrets(id: OperationId): boolean {
  return operationOf(id).secrets.length > 0;
}

/** Prepares a request body for the bus. Bodies with secrets are complete by then, because they were validated. */
export function sealed(
  bodies: Bodies | undefined,
  envelope: Envelope,
  body: Bytes | undefined,
): Bytes | undefined {
  return seal(bodies, carriesSecrets(envelope.operation), contextOf(envelope), body);
}

/** Restores a request body from the bus. */
export function opened(
  bodies: Bodies | undefined,
  envelope: Envelope,
  body: Uint8Array,
): Uint8Array {
  return open(bodies, carriesSecrets(envelope.operation), contextOf(envelope), body);
}

/** Prepares a response for the bus; it is encrypted if it may contain a secret. */
export function sealedReply(
  bodies: Bodies | undefined,
  envelope: Envelope,
  status: number,
  body: Bytes | undefined,
): Bytes | undefined {
  const issues = status < 300 && operationOf(envelope.operation).issues;
  return seal(bodies, issues, replyContextOf(envelope), body);
}

/** Restores a response from the bus. */
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

/** Prepares the input or output of an internal call for the bus. */
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

/** Returns the bytes of a body that is here as a whole. */
export function whole(body: Uint8Array | undefined): Buffer {
  if (body === undefined) return empty;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Collects all bytes of a body. */
export async function collect(body: Bytes | undefined): Promise<Buffer> {
  if (body === undefined || body instanceof Uint8Array) return whole(body);
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
