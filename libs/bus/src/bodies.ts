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

function contextOf({ operation, requestId }: Envelope): string {
  return `${operation} ${requestId}`;
}
