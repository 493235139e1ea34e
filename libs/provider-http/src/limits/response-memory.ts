/** Responses of providers would take more memory than the process has for them. */
export class ResponseMemoryExhausted extends Error {
  /** @param isAlone true if one call needs more than there is for all, so that trying again does not help */
  constructor(readonly isAlone: boolean) {
    super(
      isAlone
        ? 'the response takes more memory than there is for all of them'
        : 'too many large responses of providers are read at the same time',
    );
    this.name = 'ResponseMemoryExhausted';
  }
}

/**
 * Limits the memory that responses of providers take in the process, from their first byte to the end of their call. Their number is not
 * limited: calls of many hosts run at the same time, and one response may have 32 MB.
 */
export class ResponseMemory {
  private bytes = 0;

  constructor(readonly maxBytes: number) {}

  /** Estimated bytes that are held now. */
  get heldBytes(): number {
    return this.bytes;
  }

  open(): MemoryLease {
    return new MemoryLease(this);
  }

  /** Adds to what is held; less than nothing gives back. */
  add(bytes: number): void {
    this.bytes += bytes;
  }
}

/** The memory of the responses of one call. */
export class MemoryLease {
  private bytes = 0;

  constructor(private readonly memory: ResponseMemory) {}

  /** @throws ResponseMemoryExhausted */
  take(bytes: number): void {
    const { heldBytes, maxBytes } = this.memory;
    if (heldBytes + bytes > maxBytes)
      throw new ResponseMemoryExhausted(this.bytes + bytes > maxBytes);
    this.bytes += bytes;
    this.memory.add(bytes);
  }

  /** Gives back everything. */
  release(): void {
    this.memory.add(-this.bytes);
    this.bytes = 0;
  }
}

/** Bytes of V8's heap for what a character of JSON announces: an object, an array, one more value, a field with its name. */
const heapBytes = new Uint8Array(256);
heapBytes[0x7b] = 56; // {
heapBytes[0x5b] = 56; // [
heapBytes[0x2c] = 16; // ,
heapBytes[0x3a] = 64; // :

/** Estimates the memory of a parsed value. Texts and records that are in it twice count twice. */
export function estimateValue(value: unknown): number {
  let bytes = 0;
  const left = [value]; // a value may have more levels than the stack
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') bytes += 24 + one.length;
    else if (one instanceof Uint8Array) bytes += one.length;
    else if (typeof one === 'object' && one !== null) {
      bytes += 56;
      for (const key in one) {
        bytes += 16;
        left.push((one as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
}

/** A field beyond so many of one object takes more: V8 keeps such an object as a table, and each copy of it too. */
const maxUsualFields = 256;
const tableBytes = 128;
const [openBrace, colon] = [0x7b, 0x3a];

/** A body up to this size is not counted byte by byte. */
const smallBytes = 4_096;
/** Usual records take less than this multiple of their JSON. */
const defaultMultiple = 8;

/** Copies of a body while it is read and answered: the bytes joined, its text, and the texts of its values. */
export const bodyCopies = 3;

/** Only a share of a larger body is counted, as that takes a part of the time of parsing it; the blocks are not the same each time. */
const wholeBytes = 65_536;
const blockBytes = 1_024;
const blockInterval = 8;
let nextBlock = 0;

/**
 * Estimates the memory that JSON takes when it is parsed, beside its bytes: its copies and its values. `{},{},…` takes 24 times its bytes and a
 * list of usual records 2 times, so bytes alone do not say it.
 */
export function estimateParsed(json: Uint8Array): number {
  const { length } = json;
  if (length <= smallBytes) return length * defaultMultiple;
  const interval = length <= wholeBytes ? 1 : blockInterval;
  const first = interval === 1 ? 0 : (nextBlock = (nextBlock + 1) % blockInterval) * blockBytes;
  let bytes = 0;
  let fields = 0;
  for (let block = first; block < length; block += interval * blockBytes) {
    const end = Math.min(block + blockBytes, length);
    // By index: an iterator takes a multiple of the time.
    for (let at = block; at < end; at += 1) {
      const character = json[at] as number;
      bytes += heapBytes[character] as number;
      if (character === openBrace) fields = 0;
      else if (character === colon && (fields += interval) > maxUsualFields) bytes += tableBytes;
    }
  }
  return length * bodyCopies + bytes * interval;
}
