import { createHash, hash, randomBytes } from 'node:crypto';
import { type Content, decodeContent, encodeContent, measureContent } from './content.js';
import type { RefusalReason, RefusedSender, Refusals } from '../nats/refusals.js';
import { nameOf, ReplayGuard } from './replay-guard.js';

/** Keys that authenticate messages, such as `keyring.derive('bus messages')` of `#secrets`. */
export interface MessageKeys {
  readonly current: MessageKey;
  find(id: string): MessageKey | undefined;
}

export interface MessageKey {
  /** Eight hexadecimal digits. */
  id: string;
  /** 32 bytes. */
  bytes: Uint8Array;
}

/** The purpose of a message; it is authenticated, so one kind cannot be used as another. */
export enum Kind {
  request = 1,
  answer = 2,
  /** The process is stopping and did not start the work, so another one can get it. */
  notTaken = 3,
  event = 4,
  presence = 5,
  ping = 6,
  cancel = 7,
  question = 8,
  chunk = 9,
}

/** The subjects of a message, which are authenticated with it. */
export interface Address {
  subject: string;
  reply?: string | undefined;
}

/** An authenticated message. */
export interface Opened extends Required<Content> {
  body: Uint8Array;
  stream: string;
  kind: Kind;
  /** The process that sent it. */
  sender: string;
}

/** Maximum difference between the clocks of two machines. */
export const maxClockSkewMs = 30_000;
/** Maximum time between sending a message and its deadline; the maximum deadline of an operation is 300 s. */
const maxLifetimeMs = 330_000;
/** Lifetime of messages without a deadline. */
const defaultLifetimeMs = 60_000;

const version = 1;
const macBytes = 16;
const headerBytes = 30;
const keyBlockBytes = 64; // one block of SHA-256
const maxOneShotBytes = 32 * 1024;
const senderBytes = 6;

/**
 * Authenticates messages between processes; no other code does. A message is
 *
 *     MAC 16 | version 1 | kind 1 | key id 4 | sender 6 | number 6 | sent at 6 | expires at 6 | content
 *
 * with times in epoch milliseconds and the number counted up by each sender, which makes the pair of both a nonce. The MAC is the first
 * half of SHA-256 over the key (padded to a block), subject, reply subject, header and content: extending such a hash needs its
 * second half, which is never sent. It costs half of an HMAC, and calls spend a noticeable share of their time here.
 */
export class MessageSeal {
  /** The name of this process in subjects and headers. */
  readonly processId: string;
  private readonly sender: number;
  private readonly blocks = new WeakMap<MessageKey, Buffer>();
  private readonly keyIds = new Map<number, string>();
  private readonly scratch = Buffer.allocUnsafeSlow(keyBlockBytes + maxOneShotBytes);
  private readonly replays: ReplayGuard;
  private sent = 0;

  constructor(
    private readonly keys: MessageKeys,
    private readonly refusals: Refusals,
    private readonly now: () => number = Date.now,
  ) {
    this.sender = randomBytes(senderBytes).readUIntBE(0, senderBytes);
    this.processId = nameOf(this.sender);
    this.replays = new ReplayGuard(2 * (maxLifetimeMs + 2 * maxClockSkewMs), now);
  }

  /** @param deadline epoch milliseconds after which the message is refused */
  seal(kind: Kind, address: Address, content: Content, deadline?: number): Uint8Array {
    const now = this.now();
    const expires = Math.min(deadline ?? now + defaultLifetimeMs, now + maxLifetimeMs);
    const key = this.keys.current;
    const binding = bindingOf(address);
    const at = keyBlockBytes + Buffer.byteLength(binding);
    const message = Buffer.allocUnsafe(at + headerBytes + measureContent(content));
    message.set(this.blockOf(key), 0);
    message.write(binding, keyBlockBytes);
    message[at] = version;
    message[at + 1] = kind;
    message.writeUInt32BE(Number.parseInt(key.id, 16), at + 2);
    message.writeUIntBE(this.sender, at + 6, senderBytes);
    message.writeUIntBE((this.sent += 1), at + 12, 6);
    message.writeUIntBE(now, at + 18, 6);
    message.writeUIntBE(Math.max(0, Math.floor(expires)), at + 24, 6);
    encodeContent(content, message, at + headerBytes);
    // The MAC replaces the last bytes of the binding, which have been hashed and are not sent.
    message.write(digestOf(message), at - macBytes, macBytes, 'latin1');
    return message.subarray(at - macBytes);
  }

  /** @returns undefined for a refused message, which is counted and logged but never answered */
  open(address: Address, data: Uint8Array, kinds: readonly Kind[]): Opened | undefined {
    const result = this.read(address, data, kinds);
    if (typeof result !== 'string') return result;
    this.refusals.add(result, address.subject, this.senderOf(result, data));
    return undefined;
  }

  /** Reads what a refused message says of its sender. */
  private senderOf(reason: RefusalReason, data: Uint8Array): RefusedSender | undefined {
    const isOfClock = reason === 'clock_skew' || reason === 'expired';
    if (!isOfClock && reason !== 'unknown_key') return undefined;
    const header = Buffer.from(data.buffer, data.byteOffset, data.length);
    const sender = {
      process: nameOf(header.readUIntBE(macBytes + 6, senderBytes)),
      key: this.keyIdOf(header.readUInt32BE(macBytes + 2)),
    };
    if (!isOfClock) return sender;
    return { ...sender, clockMs: header.readUIntBE(macBytes + 18, 6) - this.now() };
  }

  private read(address: Address, data: Uint8Array, kinds: readonly Kind[]): Opened | RefusalReason {
    if (data.length < macBytes + headerBytes) return 'malformed';
    const header = Buffer.from(data.buffer, data.byteOffset, data.length);
    if (header[macBytes] !== version) return 'unknown_version';
    const key = this.keys.find(this.keyIdOf(header.readUInt32BE(macBytes + 2)));
    if (key === undefined) return 'unknown_key';
    if (!this.isAuthentic(key, address, header)) return 'not_authentic';
    const kind = header[macBytes + 1] as Kind;
    if (!kinds.includes(kind)) return 'unexpected_kind';
    const now = this.now();
    const sentAt = header.readUIntBE(macBytes + 18, 6);
    const expires = header.readUIntBE(macBytes + 24, 6);
    if (sentAt > now + maxClockSkewMs) return 'clock_skew';
    if (expires > sentAt + maxLifetimeMs) return 'malformed';
    if (expires < now - maxClockSkewMs) return 'expired';
    const sender = header.readUIntBE(macBytes + 6, senderBytes);
    const known = this.replays.admit(sender, header.readUIntBE(macBytes + 12, 6));
    if (known === undefined) return 'replayed';
    const opened: Opened = { kind, sender: known, head: '', body: emptyBody, stream: '' };
    return decodeContent(header, macBytes + headerBytes, opened) ? opened : 'malformed';
  }

  private isAuthentic(key: MessageKey, address: Address, message: Buffer): boolean {
    const block = this.blockOf(key);
    const binding = bindingOf(address);
    const bindingBytes = Buffer.byteLength(binding);
    let mac: string;
    if (bindingBytes + message.length <= maxOneShotBytes) {
      const { scratch } = this;
      scratch.set(block, 0);
      scratch.write(binding, keyBlockBytes);
      const copied = message.copy(scratch, keyBlockBytes + bindingBytes, macBytes);
      mac = digestOf(scratch.subarray(0, keyBlockBytes + bindingBytes + copied));
    } else {
      mac = createHash('sha256')
        .update(block)
        .update(binding)
        .update(message.subarray(macBytes))
        .digest('binary');
    }
    // Compares in constant time.
    let difference = 0;
    for (let at = 0; at < macBytes; at += 1) difference |= mac.charCodeAt(at) ^ (message[at] ?? 0);
    return difference === 0;
  }

  /** Caches only ids of known keys, because an attacker may send any id. */
  private keyIdOf(number: number): string {
    const known = this.keyIds.get(number);
    if (known !== undefined) return known;
    const id = number.toString(16).padStart(8, '0');
    if (this.keys.find(id) !== undefined) this.keyIds.set(number, id);
    return id;
  }

  private blockOf(key: MessageKey): Buffer {
    let block = this.blocks.get(key);
    if (block === undefined) {
      block = Buffer.alloc(keyBlockBytes);
      block.set(key.bytes);
      this.blocks.set(key, block);
    }
    return block;
  }
}

const emptyBody = Buffer.alloc(0);

/** Subjects have no line breaks, so different subjects never result in the same text. */
function bindingOf({ subject, reply = '' }: Address): string {
  return `onefold message\n${subject}\n${reply}\n`;
}

/** The one-shot call takes a third of the time that a Hash object does. */
function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary');
}
