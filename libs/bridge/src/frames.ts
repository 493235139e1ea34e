import { maxDataBytes, maxFrameBytes, maxHeadBytes, windowBytes } from './limits.js';

/** Kinds of frames. A frame is a binary WebSocket message: the kind (one byte), the stream (four bytes), the content. */
export const FrameKind = {
  /** JSON: the request or response without its body. The first frame of a stream in each direction. */
  head: 1,
  /** Bytes of the body. */
  data: 2,
  /** The body is complete. */
  end: 3,
  /** Number of bytes (four bytes) that the peer may send in addition. */
  credit: 4,
  /** The stream has ended before its end; the content is the reason as text. */
  reset: 5,
  /** JSON that concerns the connection; its stream is 0. */
  message: 6,
} as const;

export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export interface Frame {
  kind: FrameKind;
  stream: number;
  content: Buffer;
}

/** Bytes that are not frames of this protocol. */
export class MalformedFrame extends Error {}

const headBytes = 5;
const maxReasonBytes = 1_024;
const maxContentBytes: Readonly<Record<FrameKind, number>> = {
  [FrameKind.head]: maxHeadBytes,
  [FrameKind.data]: maxDataBytes,
  [FrameKind.end]: 0,
  [FrameKind.credit]: 4,
  [FrameKind.reset]: maxReasonBytes,
  [FrameKind.message]: maxHeadBytes,
};

export function encodeFrame(kind: FrameKind, stream: number, content?: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + (content?.length ?? 0));
  frame.writeUInt8(kind, 0);
  frame.writeUInt32BE(stream, 1);
  if (content !== undefined) frame.set(content, headBytes);
  return frame;
}

export function encodeCredit(stream: number, bytes: number): Buffer {
  const content = Buffer.allocUnsafe(4);
  content.writeUInt32BE(bytes);
  return encodeFrame(FrameKind.credit, stream, content);
}

export function encodeReset(stream: number, reason: string): Buffer {
  return encodeFrame(FrameKind.reset, stream, Buffer.from(reason).subarray(0, maxReasonBytes));
}

/** Reads a frame; its content is a view of the message. @throws MalformedFrame */
export function decodeFrame(message: Buffer): Frame {
  if (message.length < headBytes || message.length > maxFrameBytes)
    throw new MalformedFrame(`a frame of ${message.length} bytes`);
  const kind = message.readUInt8(0) as FrameKind;
  const max = maxContentBytes[kind] as number | undefined;
  const content = message.subarray(headBytes);
  if (max === undefined) throw new MalformedFrame(`a frame of the unknown kind ${kind}`);
  if (content.length > max)
    throw new MalformedFrame(`a frame of kind ${kind} with ${content.length} bytes`);
  return { kind, stream: message.readUInt32BE(1), content };
}

/** @throws MalformedFrame */
export function decodeCredit({ content }: Frame): number {
  if (content.length !== 4) throw new MalformedFrame('a credit without a number');
  const bytes = content.readUInt32BE(0);
  if (bytes > windowBytes) throw new MalformedFrame(`a credit of ${bytes} bytes`);
  return bytes;
}

/** @throws MalformedFrame unless the content is a JSON object */
export function decodeJson({ content }: Frame): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(content.toString());
  } catch {
    throw new MalformedFrame('a head that is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedFrame('a head that is not an object');
  return value as Record<string, unknown>;
}
