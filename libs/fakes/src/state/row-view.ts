import { LRUCache } from 'lru-cache';
import { type Entry, nextChange, rowAt, type Row, staleRowAt } from './entry.js';
import type { FakeState } from './fake-state.js';
import type { MadeRow, MadeRows } from './made-rows.js';

const maxSortedLists = 32;

/**
 * The records of a collection of one integration as lists see them: those of the world with the changes over them. Changes are
 * folded in one by one, because making a large list anew for each write is slow.
 */
export class RowView {
  /** Results of filters and orders over the present rows. */
  readonly sorted = new LRUCache<string, readonly MadeRow[]>({ max: maxSortedLists });
  private version = 0;
  private current: readonly (MadeRow | undefined)[];
  /** A copy of the list that can change; undefined while it is that of the world. */
  private own: (MadeRow | undefined)[] | undefined;
  private places: Map<string, number> | undefined;
  private holes = 0;
  /** Entries that change by themselves, and when. */
  private readonly waiting = new Map<string, { entry: Entry; due: number }>();

  /** @param isStale true for lists that do not see the latest changes */
  constructor(
    private readonly collection: string,
    private readonly made: MadeRows,
    private readonly isStale: boolean,
  ) {
    this.current = made.rows;
  }

  /** The records in the order of making. */
  rows(state: FakeState, now: number): readonly MadeRow[] {
    const changed = [...state.list(this.collection, this.version)];
    for (const { id, entry } of changed) this.fold(id, entry, now);
    this.version = state.version;
    for (const [id, { entry, due }] of this.waiting) if (due <= now) this.fold(id, entry, now);
    if (this.holes > 0 && this.own !== undefined) this.closeHoles(this.own);
    return this.current as readonly MadeRow[];
  }

  private fold(id: string, entry: Entry, now: number): void {
    const due = nextChange(entry, now);
    if (due < Infinity) this.waiting.set(id, { entry, due });
    else this.waiting.delete(id);
    const row = this.isStale ? staleRowAt(entry, now) : rowAt(entry, now);
    this.set(id, entry.number, row);
  }

  private set(id: string, number: number, row: Row | null): void {
    this.sorted.clear();
    const own = (this.own ??= [...this.made.rows]);
    this.current = own;
    const places = (this.places ??= new Map(own.flatMap((one, at) => (one ? [[one.id, at]] : []))));
    const place = places.get(id);
    if (row === null) {
      if (place === undefined) return;
      own[place] = undefined;
      places.delete(id);
      this.holes += 1;
      return;
    }
    const made = { id, number, row };
    if (place !== undefined && own[place]?.number === number) {
      own[place] = made;
      return;
    }
    if (place !== undefined) {
      own[place] = undefined;
      this.holes += 1;
    }
    const last = own.at(-1);
    if (own.length > 0 && (last === undefined || last.number > number)) this.holes += 1; // sorts again
    places.set(id, own.length);
    own.push(made);
  }

  private closeHoles(own: (MadeRow | undefined)[]): void {
    const rows = own.filter((one) => one !== undefined).sort((a, b) => a.number - b.number);
    this.own = rows;
    this.current = rows;
    this.places = undefined;
    this.holes = 0;
  }
}
