import type { Value } from '@onefold/mapping';
import type { Collection, FakeDocument } from '../document/fake-document.js';
import { type Entry, rowAt, type Row } from '../state/entry.js';
import type { FakeState } from '../state/fake-state.js';
import type { MadeCollections } from '../state/made-collections.js';
import type { MadeRow } from '../state/made-rows.js';
import { RowView } from '../state/row-view.js';

/** The lists of one integration, kept between requests. */
export class RowViews {
  private readonly views = new Map<string, RowView>();

  constructor(readonly made: MadeCollections) {}

  view(collection: string, isStale: boolean): RowView {
    const key = `${isStale ? 'stale' : 'fresh'} ${collection}`;
    let view = this.views.get(key);
    if (view === undefined) {
      view = new RowView(collection, this.made.rows(collection), isStale);
      this.views.set(key, view);
    }
    return view;
  }
}

/** The records as one request sees them: those of the world, what was changed, and what the request itself has written. */
export class RowAccess {
  constructor(
    private readonly document: FakeDocument,
    readonly views: RowViews,
    readonly state: FakeState,
    readonly now: number,
  ) {}

  collection(name: string): Collection {
    const found = this.document.collections.get(name);
    if (found === undefined) throw new TypeError(`there is no collection ${name}`);
    return found;
  }

  /** A record by its id or by a field in `also`. */
  find(name: string, key: Value): MadeRow | undefined {
    const text = typeof key === 'string' ? key : typeof key === 'number' ? String(key) : undefined;
    if (text === undefined) return undefined;
    const found = this.byId(name, text);
    if (found !== undefined) return found;
    for (const field of this.collection(name).also) {
      const other = this.byField(name, field, key);
      if (other !== undefined) return other;
    }
    return undefined;
  }

  /** The entry of a record, also of one that the world made; undefined where it does not exist. */
  entry(name: string, id: string): Entry | undefined {
    const stored = this.state.get(name, id);
    if (stored !== undefined) return stored;
    const made = this.views.made.rows(name).byId.get(id);
    if (made === undefined) return undefined;
    const { number, row } = made;
    return { number, row, at: 0, shown: 0, was: row, later: [] };
  }

  /** The newest record for which the condition is true. */
  newest(name: string, condition: (row: Row, number: number) => boolean): MadeRow | undefined {
    const rows = this.views.view(name, false).rows(this.state, this.now);
    const written = new Map([...this.state.written(name)].map((one) => [one.id, one.entry]));
    const own = [...written]
      .map(([id, entry]) => this.made(id, entry))
      .filter((one) => one !== undefined);
    const others = rows.filter(({ id }) => !written.has(id));
    return [...others, ...own]
      .sort((a, b) => a.number - b.number)
      .findLast(({ row, number }) => condition(row, number));
  }

  private byId(name: string, id: string): MadeRow | undefined {
    const entry = this.state.get(name, id);
    if (entry !== undefined) return this.made(id, entry);
    return this.views.made.rows(name).byId.get(id);
  }

  private byField(name: string, field: string, value: Value): MadeRow | undefined {
    const made = this.views.made.rows(name).by(field, value);
    if (made !== undefined && this.state.get(name, made.id) === undefined) return made;
    const changed = [...this.state.written(name), ...this.state.list(name, 0)];
    for (const { id } of changed) {
      const row = this.byId(name, id);
      if (row?.row[field] === value) return row;
    }
    return undefined;
  }

  private made(id: string, entry: Entry): MadeRow | undefined {
    const row = rowAt(entry, this.now);
    return row === null ? undefined : { id, number: entry.number, row };
  }
}

/** A record without its hidden fields. */
export function visibleRow({ hidden }: Collection, row: Row): Row {
  if (hidden.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.includes(key)));
}
