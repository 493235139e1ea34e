import { isPlainObject } from './place.js';

/** Memory of one value in bytes, without its text: about that of an empty object. */
const valueBytes = 40;
/** Maximum size to which a patch may enlarge a record. */
const maxRecordBytes = 10 * 1024 * 1024;
/** Maximum work of a patch: what all its operations together may read, compare and move. */
const maxWorkBytes = 32 * 1024 * 1024;
/** Maximum nesting of arrays and objects. */
const maxDepth = 100;

/** The limit that a patch exceeds. */
export type PatchLimit = 'size' | 'work' | 'depth';

/**
 * Counts the cost of a patch, because each operation of a few bytes can double a record. Sizes are estimates: the characters of texts and
 * names, and a fixed amount for each value. Each method returns the exceeded limit, before the operation is applied.
 */
export class PatchBudget {
  private readonly maxBytes: number;
  private size: number;
  private work = 0;

  constructor(record: unknown) {
    this.size = measure(record, Infinity, Infinity).bytes;
    this.maxBytes = Math.max(this.size, maxRecordBytes);
  }

  /** @param depth nesting of the place of the value @param replaced the value that it replaces */
  add(value: unknown, depth: number, replaced?: unknown): PatchLimit | undefined {
    const added = measure(value, maxWorkBytes, maxDepth - depth);
    if (added.tooDeep) return 'depth';
    const removed = replaced === undefined ? 0 : measure(replaced, Infinity, Infinity).bytes;
    const size = this.size + added.bytes - removed;
    if (size > this.maxBytes) return 'size';
    if (this.isSpent(added.bytes + removed)) return 'work';
    this.size = size;
    return undefined;
  }

  remove(value: unknown): PatchLimit | undefined {
    const { bytes } = measure(value, Infinity, Infinity);
    if (this.isSpent(bytes)) return 'work';
    this.size -= bytes;
    return undefined;
  }

  compare(value: unknown): PatchLimit | undefined {
    const { bytes, tooDeep } = measure(value, maxWorkBytes, maxDepth);
    if (tooDeep) return 'depth';
    return this.isSpent(bytes) ? 'work' : undefined;
  }

  /** Charges for the items of an array that move when an item before them is inserted or removed. */
  shift(items: number): PatchLimit | undefined {
    return this.isSpent(items) ? 'work' : undefined;
  }

  private isSpent(bytes: number): boolean {
    this.work += bytes;
    return this.work > maxWorkBytes;
  }
}

/** Measures size and depth of a value, up to the first exceeded limit. */
function measure(
  value: unknown,
  maxBytes: number,
  maxLevels: number,
): { bytes: number; tooDeep: boolean } {
  const waiting: unknown[] = [value];
  const levels: number[] = [0];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= maxBytes) {
    const one = waiting.pop();
    const level = levels.pop() ?? 0;
    bytes += valueBytes;
    if (typeof one === 'string') bytes += one.length;
    if (typeof one !== 'object' || one === null) continue;
    if (one instanceof Uint8Array) bytes += one.length;
    const isList = Array.isArray(one);
    if (!isList && !isPlainObject(one)) continue;
    if (level >= maxLevels) return { bytes, tooDeep: true };
    if (!isList) for (const key of Object.keys(one)) bytes += key.length;
    for (const item of isList ? (one as unknown[]) : Object.values(one)) {
      waiting.push(item);
      levels.push(level + 1);
    }
  }
  return { bytes, tooDeep: false };
}
