import { Timestamp } from '../language/timestamp.js';
import { isWord } from './javascript.js';

const readable = [
  {},
  [],
  '',
  0,
  0n,
  true,
  Symbol.prototype,
  Buffer.prototype,
  new Timestamp(0),
].map((value) => Object(value) as object);

/**
 * True for a key that no value of the language has unless it is a field of it: reading it needs no look at the type. `length` and
 * `description` are none.
 */
export function isPlainKey(key: string): boolean {
  return isWord(key) && readable.every((value) => !(key in value));
}
