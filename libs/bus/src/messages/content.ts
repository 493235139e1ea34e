// The content of a message: length of the head (four bytes), length of the name of a stream (one byte), that name, the head, the body.
// Neither head nor body is parsed here.

export interface Content {
  /** JSON; for the chunk of a stream its state. */
  head: string;
  body?: Uint8Array | undefined;
  /** The subject for requesting the chunks of the body; empty if the body is complete. */
  stream?: string | undefined;
}

const fixedBytes = 5;

/** Returns the size of a content in a message. */
export function measureContent({ head, body, stream = '' }: Content): number {
  return fixedBytes + stream.length + Buffer.byteLength(head) + (body?.length ?? 0);
}

/** Writes a content at the end of a message. */
export function encodeContent(
  { head, body, stream = '' }: Content,
  message: Buffer,
  at: number,
): void {
  message.writeUInt8(stream.length, at + 4);
  if (stream !== '') message.write(stream, at + fixedBytes, 'latin1');
  const headAt = at + fixedBytes + stream.length;
  const length = message.write(head, headAt);
  message.writeUInt32BE(length, at);
  if (body) message.set(body, headAt + length);
}

/** Reads the content of a message; the body is a view of the message. @returns false if it is truncated */
export function decodeContent(
  message: Buffer,
  at: number,
  into: { head: string; body: Uint8Array; stream: string },
): boolean {
  if (message.length < at + fixedBytes) return false;
  const streamAt = at + fixedBytes;
  const headAt = streamAt + (message[at + 4] ?? 0);
  const bodyAt = headAt + message.readUInt32BE(at);
  if (bodyAt > message.length) return false;
  if (headAt > streamAt) into.stream = message.toString('latin1', streamAt, headAt);
  into.head = message.toString('utf8', headAt, bodyAt);
  if (bodyAt < message.length) into.body = message.subarray(bodyAt);
  return true;
}
