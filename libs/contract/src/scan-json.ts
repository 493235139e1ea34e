import type { BodyLimits } from './operations.js';

/** An error in JSON text, and its position. */
export interface JsonFault {
  kind: 'syntax' | 'text' | 'values' | 'depth';
  /** Index of the byte at which the error was found. */
  offset: number;
  /** JSON Pointer of the value that contains the error. */
  pointer: string;
  message: string;
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [minus, plus, dot, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const space = 0x20;
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const escapable = new Set(Buffer.from('"\\/bfnrtu'));
const maxPointer = 500;

/**
 * Finds the first fault of JSON text without building anything from it: one pass over the bytes, and memory for `maxDepth` numbers.
 * It refuses what JSON.parse would take and nothing behind it can store: U+0000 and halves of surrogate pairs. They occur only as
 * escapes, because their bytes are not UTF-8 or not JSON. Bodies that providers write may have them.
 */
export function scanJson(
  bytes: Uint8Array,
  limits: Pick<BodyLimits, 'maxValues' | 'maxDepth' | 'anyText'>,
): JsonFault | undefined {
  const scanner = new JsonScanner(bytes, limits);
  return scanner.scan() ? undefined : scanner.fault;
}

class JsonScanner {
  fault: JsonFault | undefined;
  private at = 0;
  private depth = 0;
  private values = 0;
  /** For each open object the offset of its current key, for each open array `-1 - index`. */
  private readonly path: Int32Array;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limits: Pick<BodyLimits, 'maxValues' | 'maxDepth' | 'anyText'>,
  ) {
    this.path = new Int32Array(limits.maxDepth);
  }

  /** @returns false when there is a fault */
  scan(): boolean {
    if (!this.value()) return false;
    while (this.depth > 0) if (!this.member()) return false;
    this.skipSpace();
    return this.at >= this.bytes.length || this.unexpected();
  }

  /** Continues in the innermost object or array, after one of its values or its opening bracket. */
  private member(): boolean {
    const level = this.depth - 1;
    const place = this.path[level] as number;
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte === (place < 0 ? closeArray : closeObject)) {
      this.at += 1;
      this.depth = level;
      return true;
    }
    if (byte !== comma) return this.unexpected();
    this.at += 1;
    return place < 0 ? this.item(level, place - 1) : this.field(level);
  }

  private item(level: number, place: number): boolean {
    this.path[level] = place;
    return this.value();
  }

  private field(level: number): boolean {
    this.skipSpace();
    if (this.bytes[this.at] !== quote) return this.unexpected();
    const start = this.at;
    this.depth = level; // a fault in a key is reported for the object
    if (!this.text()) return false;
    this.depth = level + 1;
    this.path[level] = start;
    this.skipSpace();
    if (this.bytes[this.at] !== colon) return this.unexpected();
    this.at += 1;
    return this.value();
  }

  private value(): boolean {
    this.skipSpace();
    this.values += 1;
    const { maxValues } = this.limits;
    if (this.values > maxValues)
      return this.fail('values', `the body has more than ${maxValues} values`);
    const byte = this.bytes[this.at];
    if (byte === quote) return this.text();
    if (byte === openObject || byte === openArray) return this.open(byte);
    if (byte === minus || isDigit(byte)) return this.number();
    return this.literal();
  }

  private open(bracket: number): boolean {
    const { maxDepth } = this.limits;
    if (this.depth >= maxDepth)
      return this.fail('depth', `the body is nested more than ${maxDepth} deep`);
    const level = this.depth;
    this.depth += 1;
    this.at += 1;
    this.path[level] = bracket === openArray ? -1 : this.at;
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte === closeArray || byte === closeObject) return this.member();
    return bracket === openArray ? this.item(level, -1) : this.field(level);
  }

  /** Scans a string, including both quotes. */
  private text(): boolean {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at + 1;
    while (at < length) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        this.at = at + 1;
        return true;
      }
      if (byte < space) break;
      if (byte === backslash) {
        this.at = at;
        if (!this.escape()) return false;
        at = this.at;
      } else at += 1;
    }
    this.at = at;
    return this.unexpected();
  }

  private escape(): boolean {
    const byte = this.bytes[this.at + 1];
    if (byte === undefined || !escapable.has(byte)) return this.unexpected();
    if (byte !== 0x75) {
      this.at += 2;
      return true;
    }
    const unit = this.unit(this.at);
    if (unit === undefined) return this.unexpected();
    if (this.limits.anyText === true) {
      this.at += 6;
      return true;
    }
    if (unit === 0) return this.fail('text', 'holds the character U+0000, which cannot be stored');
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    const next = isHigh ? this.unit(this.at + 6) : undefined;
    const isPair = next !== undefined && next >= 0xdc00 && next < 0xe000;
    if ((isHigh && !isPair) || (unit >= 0xdc00 && unit < 0xe000))
      return this.fail(
        'text',
        `holds \\u${unit.toString(16)}, one half of a surrogate pair without the other`,
      );
    this.at += isHigh ? 12 : 6;
    return true;
  }

  /** Reads the code of a Unicode escape, four hexadecimal digits; undefined if it is invalid. */
  private unit(at: number): number | undefined {
    if (this.bytes[at] !== backslash || this.bytes[at + 1] !== 0x75) return undefined;
    let unit = 0;
    for (let index = at + 2; index < at + 6; index += 1) {
      const digit = hexDigit(this.bytes[index]);
      if (digit < 0) return undefined;
      unit = unit * 16 + digit;
    }
    return unit;
  }

  private number(): boolean {
    if (this.bytes[this.at] === minus) this.at += 1;
    if (this.bytes[this.at] === zero) this.at += 1;
    else if (!this.digits()) return false;
    if (this.bytes[this.at] === dot) {
      this.at += 1;
      if (!this.digits()) return false;
    }
    if (((this.bytes[this.at] ?? 0) | space) !== 0x65) return true; // e or E
    this.at += 1;
    if (this.bytes[this.at] === plus || this.bytes[this.at] === minus) this.at += 1;
    return this.digits();
  }

  private digits(): boolean {
    const start = this.at;
    while (isDigit(this.bytes[this.at])) this.at += 1;
    return this.at > start || this.unexpected();
  }

  private literal(): boolean {
    const word = literals.find((one) => one[0] === this.bytes[this.at]);
    if (word === undefined) return this.unexpected();
    for (const byte of word) {
      if (this.bytes[this.at] !== byte) return this.unexpected();
      this.at += 1;
    }
    return true;
  }

  private skipSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  private unexpected(): boolean {
    return this.fail('syntax', 'unexpected text');
  }

  private fail(kind: JsonFault['kind'], message: string): boolean {
    this.fault = { kind, offset: this.at, pointer: this.pointer(), message };
    return false;
  }

  private pointer(): string {
    let pointer = '';
    for (let level = 0; level < this.depth && pointer.length < maxPointer; level += 1) {
      const place = this.path[level] as number;
      pointer += `/${place < 0 ? -1 - place : this.keyAt(place)}`;
    }
    return pointer.slice(0, maxPointer);
  }

  private keyAt(start: number): string {
    let end = start + 1;
    while (end < this.bytes.length && this.bytes[end] !== quote && end - start < maxPointer)
      end += this.bytes[end] === backslash ? 2 : 1;
    const key = Buffer.from(this.bytes.subarray(start + 1, end)).toString();
    return key.replaceAll('~', '~0').replaceAll('/', '~1');
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (isDigit(byte)) return byte - zero;
  const letter = byte | space;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
