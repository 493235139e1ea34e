import { isPlainObject } from './place.js';

/** Memory of one value beside its text, in bytes: an empty object takes about this much. */
const valueBytes = 40;
/** Size of the patched record up to which a patch may make it larger. */
const maxRecordBytes = 10 * 1024 * 1024;
/** What all operations of a patch may read, compare and move together. */
const maxWorkBytes = 32 * 1024 * 1024;
/** Levels of arrays and objects within each other. */
const maxDepth = 100;

/** The limit that a patch does not keep to. */
export type PatchLimit = 'size' | 'work' | 'depth';

/**
 * Counts what a patch costs: a few bytes of it can double a record with each operation. Sizes are estimates: the characters of
 * texts and names, and a fixed share for each value. Each method returns the limit that is exceeded, before anything is done.
 */
export class PatchBudget {
  private readonly maxBytes: number;
  private size: number;
  private work = 0;

  constructor(record: unknown) {
    this.size = measure(record, Infinity, Infinity).bytes;
    this.maxBytes = Math.max(this.size, maxRecordBytes);
  }

  /** @param depth of the place where the value goes @param replaced what it takes the place of */
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

  /** Charges for the items of an array that move when one is put before them or taken out. */
  shift(items: number): PatchLimit | undefined {
    return this.isSpent(items) ? 'work' : undefined;
  }

  private isSpent(bytes: number): boolean {
    this.work += bytes;
    return this.work > maxWorkBytes;
  }
}

/** Size and depth of a value, measured no further than to the first limit. */
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
