import { changedFiles, type FakeFiles, MemoryFiles } from './fake-files.js';
import { type FakeState, RequestState, type StoredEntry, StoredEntries } from './fake-state.js';

/** Keeps what one integration has changed. */
export interface FakeStorage {
  readonly files: FakeFiles;
  /**
   * Runs one request. Its changes are stored together when it returns, and dropped when it throws.
   * @param writes false where it only reads; requests that write run one after the other
   */
  work<T>(action: (state: FakeState) => T, writes: boolean): Promise<T>;
}

/** Keeps changes in the memory of the process. */
export class MemoryStorage implements FakeStorage {
  private stored = new StoredEntries();

  constructor(readonly files = new MemoryFiles()) {}

  /** Returns a storage that begins with the changes of this one, for tests that try several endings. */
  copy(): MemoryStorage {
    const copy = new MemoryStorage(this.files.copy());
    copy.stored = this.stored.copy();
    return copy;
  }

  /** The entries that differ from the world, for tests that count them. */
  changes(): StoredEntry[] {
    return this.stored.all();
  }

  async work<T>(action: (state: FakeState) => T): Promise<T> {
    const state = new RequestState(this.stored);
    const result = action(state); // synchronous, so no other request runs at the same time
    if (!state.hasChanges) return result;
    const { left } = changedFiles(state.rewritten());
    this.stored.apply(state.changes(), this.stored.version + 1, state.newest);
    for (const id of left) await this.files.drop(id); // those who read it have it already
    return result;
  }
}
