import type { Row } from './entry.js';

/** A record with its id and its place in the order of making. */
export interface MadeRow {
  readonly id: string;
  readonly number: number;
  readonly row: Row;
}

/** The records of a collection as the world made them; shared by all integrations with the same world. */
export class MadeRows {
  readonly byId: ReadonlyMap<string, MadeRow>;
  private readonly indexes = new Map<string, Map<unknown, MadeRow>>();

  constructor(readonly rows: readonly MadeRow[]) {
    this.byId = new Map(rows.map((row) => [row.id, row]));
  }

  /** Finds by the value of a field. */
  by(field: string, value: unknown): MadeRow | undefined {
    let index = this.indexes.get(field);
    if (index === undefined) {
      index = new Map();
      for (const row of this.rows) {
        const key = row.row[field];
        if (!index.has(key)) index.set(key, row);
      }
      this.indexes.set(field, index);
    }
    return index.get(value);
  }
}
