import { createHash, randomUUID } from 'node:crypto';
import type { Value } from '@onefold/mapping';
import type { Row } from './entry.js';

/** A file that a storage keeps, as records refer to it and as `this.body` shows it. */
export interface StoredFile extends Record<string, Value> {
  stored_file: string;
  size: number;
  md5: string;
}

/** Files of one integration, beside its records. */
export interface FakeFiles {
  /** Stores a file as it arrives. It stays if a record refers to it. @throws FileTooLarge */
  write(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>;
  /** Reads the bytes of a file from `start` to `end`, which is not included. */
  read(id: string, start: number, end: number): AsyncIterable<Uint8Array>;
  /** Drops a file that no record refers to, because its request was refused. */
  drop(id: string): Promise<void>;
}

/** A file has more bytes than the document allows, or than there is room for. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

/** Maximum size of all files of an integration, or of a fake that runs as a process. */
export const maxFilesBytes = 268_435_456;
/** Size of the parts in which files are kept. */
export const partBytes = 1_048_576;

/** Hands the parts of a file to `keep`, each of {@link partBytes} but the last. @throws FileTooLarge */
export async function writeParts(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  keep: (part: Buffer, index: number) => Promise<void> | void,
): Promise<StoredFile> {
  const hash = createHash('md5');
  let size = 0;
  let index = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const flush = async () => {
    if (heldBytes > 0) await keep(Buffer.concat(held), index);
    [held, heldBytes, index] = [[], 0, index + 1];
  };
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) continue; // the rest is read away, so that the client reads the response
    hash.update(chunk);
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + partBytes - heldBytes);
      held.push(piece);
      heldBytes += piece.length;
      at += piece.length;
      if (heldBytes === partBytes) await flush();
    }
  }
  if (size > maxBytes) throw new FileTooLarge(`a file has at most ${maxBytes} bytes`);
  await flush();
  return { stored_file: '', size, md5: hash.digest('hex') };
}

/** Lists the pieces of parts that make up a range of bytes. */
export function piecesOf(
  start: number,
  end: number,
): { part: number; from: number; length: number }[] {
  const pieces = [];
  for (let at = start; at < end;) {
    const part = Math.floor(at / partBytes);
    const from = at - part * partBytes;
    const length = Math.min(end - at, partBytes - from);
    pieces.push({ part, from, length });
    at += length;
  }
  return pieces;
}

/** Ids of the files that a record refers to, by any of its fields. */
export function filesOf(row: Row | null | undefined): string[] {
  return Object.values(row ?? {}).flatMap((value) =>
    isStoredFile(value) ? value.stored_file : [],
  );
}

export function isStoredFile(value: Value): value is StoredFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<StoredFile>).stored_file === 'string'
  );
}

/** Finds the files that writes have begun and ceased to refer to. */
export function changedFiles(
  writes: Iterable<{ before: Row | null | undefined; after: Row | null }>,
): { kept: string[]; left: string[] } {
  const kept: string[] = [];
  const left: string[] = [];
  for (const { before, after } of writes) {
    const [had, has] = [filesOf(before), filesOf(after)];
    kept.push(...has.filter((id) => !had.includes(id)));
    left.push(...had.filter((id) => !has.includes(id)));
  }
  return { kept, left };
}

/** Keeps files in the memory of the process. */
export class MemoryFiles implements FakeFiles {
  private readonly files = new Map<string, Buffer[]>();
  /** Size of all files, with those that are arriving. */
  private bytes = 0;

  /** @param maxBytes maximum size of all files together */
  constructor(private readonly maxBytes = maxFilesBytes) {}

  /** Returns files that begin with these. */
  copy(): MemoryFiles {
    const copy = new MemoryFiles(this.maxBytes);
    for (const [id, parts] of this.files) copy.files.set(id, parts);
    copy.bytes = this.bytes;
    return copy;
  }

  async write(chunks: AsyncIterable<Uint8Array>, maxFileBytes: number): Promise<StoredFile> {
    const id = randomUUID();
    const parts: Buffer[] = [];
    this.files.set(id, parts);
    try {
      const file = await writeParts(chunks, maxFileBytes, (part) => this.keep(parts, part));
      return { ...file, stored_file: id };
    } catch (error) {
      await this.drop(id);
      throw error;
    }
  }

  /** @throws FileTooLarge */
  private keep(parts: Buffer[], part: Buffer): void {
    if (this.bytes + part.length > this.maxBytes)
      throw new FileTooLarge(
        `all files together have at most ${this.maxBytes} bytes: delete some of them, or use a smaller one`,
      );
    this.bytes += part.length;
    parts.push(part);
  }

  async *read(id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    const parts = this.files.get(id) ?? [];
    for (const { part, from, length } of piecesOf(start, end)) {
      await Promise.resolve();
      yield (parts[part] ?? Buffer.alloc(0)).subarray(from, from + length);
    }
  }

  drop(id: string): Promise<void> {
    for (const { length } of this.files.get(id) ?? []) this.bytes -= length;
    this.files.delete(id);
    return Promise.resolve();
  }
}
