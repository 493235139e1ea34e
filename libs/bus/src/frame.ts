// A message: four bytes length of the head, one byte length of the name of a stream, that name, the head (JSON), the body. Neither
// head nor body is looked at.

export interface Frame {
  head: string;
  body: Uint8Array;
  /** The subject at which the chunks of the body are asked for; empty when it came whole. */
  stream: string;
}

const fixedBytes = 5;

/** Puts head and body into one message. */
export function encodeFrame(head: string, body?: Uint8Array, stream = ''): Uint8Array {
  const length = Buffer.byteLength(head);
  const bodyAt = fixedBytes + stream.length + length;
  const frame = Buffer.allocUnsafe(bodyAt + (body?.length ?? 0));
  frame.writeUInt32BE(length, 0);
  frame.writeUInt8(stream.length, 4);
  if (stream !== '') frame.write(stream, fixedBytes, 'latin1');
  frame.write(head, fixedBytes + stream.length);
  if (body) frame.set(body, bodyAt);
  return frame;
}

/** Takes a message apart; the body is a view of it, empty when there is none. @throws Error when it is no frame. */
export function decodeFrame(frame: Uint8Array): Frame {
  const view = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.length < fixedBytes) throw new Error(`a message of ${view.length} bytes is no frame`);
  const headAt = fixedBytes + view.readUInt8(4);
  const bodyAt = headAt + view.readUInt32BE(0);
  if (bodyAt > view.length) throw new Error('the head of a message is cut off');
  return {
    stream: view.toString('latin1', fixedBytes, headAt),
    head: view.toString('utf8', headAt, bodyAt),
    body: view.subarray(bodyAt),
  };
}
