import { type Entry, firstMadeNumber, type Row } from './entry.js';

/** An entry and where it belongs. */
export interface StoredEntry {
  readonly collection: string;
  readonly id: string;
  readonly entry: Entry;
  /** Its length as JSON, where it is known. */
  readonly bytes?: number;
}

/** The changes of an integration, as one request sees and adds to them. */
export interface FakeState {
  get(collection: string, id: string): Entry | undefined;
  put(collection: string, id: string, entry: Entry): void;
  /** The entries of a collection that were written after a version, without those of this request. */
  list(collection: string, since: number): Iterable<StoredEntry>;
  /** The entries that this request has written. */
  written(collection: string): Iterable<StoredEntry>;
  /** The next number of a record. */
  sequence(): number;
  /** The number that the last record got. */
  readonly newest: number;
  /** The version of what was there before the request. */
  readonly version: number;
  /** Remembers what was written so far, for {@link undo}. */
  mark(): Mark;
  /** Takes back what was written after the mark. */
  undo(mark: Mark): void;
}

/** A moment of a request. */
export interface Mark {
  readonly writes: number;
  readonly newest: number;
}

/** Entries that are stored, in memory, with their versions. */
export class StoredEntries {
  version = 0;
  newest = firstMadeNumber;
  /** Length of the entries as JSON, as far as it is known. */
  bytes = 0;
  private readonly collections = new Map<string, StoredCollection>();

  get(collection: string, id: string): Entry | undefined {
    return this.collections.get(collection)?.entries.get(id)?.entry;
  }

  list(collection: string, since: number): StoredEntry[] {
    return this.collections.get(collection)?.since(since) ?? [];
  }

  /** Returns entries of their own, which later changes do not share. */
  copy(): StoredEntries {
    const copy = new StoredEntries();
    copy.apply(this.all(), this.version, this.newest);
    return copy;
  }

  /** The entries that differ from the world. */
  all(): StoredEntry[] {
    return [...this.collections.values()].flatMap(({ entries }) => [...entries.values()]);
  }

  /** How many records differ from the world. */
  get size(): number {
    let size = 0;
    for (const { entries } of this.collections.values()) size += entries.size;
    return size;
  }

  /** Takes over entries that were written after the present version. */
  apply(changes: Iterable<StoredEntry>, version: number, newest: number): void {
    for (const change of changes) {
      let stored = this.collections.get(change.collection);
      if (stored === undefined) {
        stored = new StoredCollection();
        this.collections.set(change.collection, stored);
      }
      this.bytes += (change.bytes ?? 0) - (stored.entries.get(change.id)?.bytes ?? 0);
      stored.put(change, version);
    }
    this.version = version;
    this.newest = newest;
  }
}

class StoredCollection {
  readonly entries = new Map<string, StoredEntry & { version: number }>();
  /** In the order of writing; an entry that was written again is in it several times. */
  private log: (StoredEntry & { version: number })[] = [];

  put(change: StoredEntry, version: number): void {
    const stored = { ...change, version };
    this.entries.set(change.id, stored);
    this.log.push(stored);
    if (this.log.length > 2 * this.entries.size + 100)
      this.log = [...this.entries.values()].sort((a, b) => a.version - b.version);
  }

  since(version: number): StoredEntry[] {
    let [low, high] = [0, this.log.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.log[middle]?.version ?? 0) > version) high = middle;
      else low = middle + 1;
    }
    return this.log.slice(low).filter((one) => this.entries.get(one.id) === one);
  }
}

/** The state of one request over what is stored. */
export class RequestState implements FakeState {
  private readonly entries = new Map<string, Map<string, Entry>>();
  /** The entries that writes have replaced, to take them back. */
  private readonly replaced: { collection: string; id: string; before: Entry | undefined }[] = [];
  private last: number;

  constructor(private readonly stored: StoredEntries) {
    this.last = stored.newest;
  }

  get version(): number {
    return this.stored.version;
  }

  get newest(): number {
    return this.last;
  }

  get(collection: string, id: string): Entry | undefined {
    return this.entries.get(collection)?.get(id) ?? this.stored.get(collection, id);
  }

  put(collection: string, id: string, entry: Entry): void {
    const entries = this.entries.get(collection) ?? new Map<string, Entry>();
    this.replaced.push({ collection, id, before: entries.get(id) });
    entries.set(id, entry);
    this.entries.set(collection, entries);
  }

  list(collection: string, since: number): Iterable<StoredEntry> {
    return this.stored.list(collection, since);
  }

  *written(collection: string): Iterable<StoredEntry> {
    for (const [id, entry] of this.entries.get(collection) ?? []) yield { collection, id, entry };
  }

  sequence(): number {
    this.last += 1;
    return this.last;
  }

  mark(): Mark {
    return { writes: this.replaced.length, newest: this.last };
  }

  undo({ writes, newest }: Mark): void {
    for (const { collection, id, before } of this.replaced.splice(writes).reverse()) {
      const entries = this.entries.get(collection);
      if (before === undefined) entries?.delete(id);
      else entries?.set(id, before);
    }
    this.last = newest;
  }

  /** Everything that the request has written. */
  *changes(): Iterable<StoredEntry> {
    for (const collection of this.entries.keys()) yield* this.written(collection);
  }

  /** The rows of what the request has written, before and after. */
  *rewritten(): Iterable<{ before: Row | null | undefined; after: Row | null }> {
    for (const { collection, id, entry } of this.changes())
      yield { before: this.stored.get(collection, id)?.row, after: entry.row };
  }

  get hasChanges(): boolean {
    return [...this.entries.values()].some(({ size }) => size > 0);
  }
}
