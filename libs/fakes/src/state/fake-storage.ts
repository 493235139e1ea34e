import { type FakeState, RequestState, StoredEntries } from './fake-state.js';

/** Keeps what one integration has changed. */
export interface FakeStorage {
  /**
   * Runs one request. Its changes are stored together when it returns, and dropped when it throws.
   * @param writes false where it only reads; requests that write run one after the other
   */
  work<T>(action: (state: FakeState) => T, writes: boolean): Promise<T>;
}

/** Keeps changes in the memory of the process. */
export class MemoryStorage implements FakeStorage {
  private stored = new StoredEntries();

  async work<T>(action: (state: FakeState) => T): Promise<T> {
    const state = new RequestState(this.stored);
    const result = action(state); // synchronous, so no other request runs at the same time
    if (state.hasChanges) this.stored.apply(state.changes(), this.stored.version + 1, state.newest);
    return result;
  }
}
