// A message is a head (JSON) and a body (bytes): four bytes length of the head, head, body. The body is never looked at.

/** Puts head and body into one message. */
export function encodeFrame(head: unknown, body?: Uint8Array): Uint8Array {
  const text = Buffer.from(JSON.stringify(head));
  const frame = Buffer.allocUnsafe(4 + text.length + (body?.length ?? 0));
  frame.writeUInt32BE(text.length, 0);
  frame.set(text, 4);
  if (body) frame.set(body, 4 + text.length);
  return frame;
}

/** Takes a message apart; the body is a view of it, empty when there is none. @throws Error when it is no frame. */
export function decodeFrame<Head>(frame: Uint8Array): { head: Head; body: Uint8Array } {
  const view = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.length < 4) throw new Error(`a message of ${view.length} bytes is no frame`);
  const end = 4 + view.readUInt32BE(0);
  if (end > view.length) throw new Error('the head of a message is cut off');
  return { head: JSON.parse(view.toString('utf8', 4, end)) as Head, body: view.subarray(end) };
}
