/** Pseudo-random numbers that depend on nothing but the parts they are made from, so that every record can be made alone. */
export class Random {
  private state: number;

  constructor(...parts: readonly (number | string)[]) {
    this.state = hash(parts.join('/'));
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number between two bounds, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.int(0, list.length - 1)];
    if (found === undefined) throw new RangeError('cannot pick from an empty list');
    return found;
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.int(0, 0xffff).toString(16).padStart(4, '0');
    return text.slice(0, length);
  }

  /** An id in the form of a version 4 UUID. */
  uuid(): string {
    const hex = this.hex(32);
    const variant = '89ab'[this.int(0, 3)] ?? '8';
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/** FNV-1a with a final mix, because neighbouring numbers must not give neighbouring states. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Maps 0 … 2^24−1 to itself without a visible order, so that serial numbers and addresses differ but do not count up. */
export function scramble24(number: number): number {
  return (Math.imul(number, 0x9e3779) + 0x3c6ef3) & 0xffffff;
}
