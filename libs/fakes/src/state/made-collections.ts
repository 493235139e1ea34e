import { LRUCache } from 'lru-cache';
import { RunError, type RunOptions, Timestamp, type Value } from '@onefold/mapping';
import { ExpressionFailure, type Scope, textOf } from '../document/expressions.js';
import type { Collection, FakeDocument } from '../document/fake-document.js';
import { makeOddRows, type OddCollection } from '../odd/odd-rows.js';
import { seededRandom } from '../random.js';
import type { Row } from './entry.js';
import { type MadeRow, MadeRows } from './made-rows.js';
import { type MakeWorld, type RecordOptions, type World, worldOf } from './world.js';

const maxStartsPerDocument = 8;

const cache = new WeakMap<FakeDocument['collections'], LRUCache<string, MadeCollections>>();

/**
 * The collections of a document as a world fills them; kept, because they follow from the arguments alone. Documents that differ in their
 * routes share them.
 */
export function madeCollections(
  document: FakeDocument,
  makeWorld: MakeWorld,
  options: RecordOptions,
): MadeCollections {
  const { dataset, ...others } = options;
  const world = worldOf(makeWorld, { ...others, dataset: dataset === 'ODD' ? 'BASIC' : dataset });
  const ofDocument = cache.get(document.collections) ?? new LRUCache({ max: maxStartsPerDocument });
  cache.set(document.collections, ofDocument);
  const key = JSON.stringify(options);
  const known = ofDocument.get(key);
  if (known?.isMadeOf(document, world) === true) return known;
  const made = new MadeCollections(
    document,
    world,
    options.start.getTime(),
    options.dataset === 'ODD',
  );
  ofDocument.set(key, made);
  return made;
}

/** The records that the world makes, each collection at its first use. */
export class MadeCollections {
  private readonly collections = new Map<string, MadeRows>();
  private readonly served = new Map<string, MadeRows>();
  private readonly making = new Set<string>();

  constructor(
    private readonly document: FakeDocument,
    readonly world: World,
    private readonly startMs: number,
    private readonly isOdd: boolean,
  ) {}

  /** Whether the records of another document would be the same. */
  isMadeOf({ collections, constants, templates }: FakeDocument, world: World): boolean {
    const own = this.document;
    const isSame = own.collections === collections && own.templates === templates;
    return isSame && own.constants === constants && this.world === world;
  }

  /** The records that are served. @throws ExpressionFailure */
  rows(name: string): MadeRows {
    const known = this.served.get(name);
    if (known !== undefined) return known;
    const plain = this.plainRows(name);
    const { maxRows } = this.document.collections.get(name) as Collection;
    const step = maxRows === undefined ? 1 : Math.ceil(plain.rows.length / maxRows);
    const rows = step > 1 ? plain.rows.filter((_one, index) => index % step === 0) : plain.rows;
    const isPlain = rows === plain.rows && !this.isOdd;
    const made = isPlain
      ? plain
      : new MadeRows(this.isOdd ? makeOddRows(rows, this.oddCollection(name)) : rows);
    this.served.set(name, made);
    return made;
  }

  /** The records from which others are made. */
  private plainRows(name: string): MadeRows {
    const known = this.collections.get(name);
    if (known !== undefined) return known;
    const collection = this.document.collections.get(name);
    if (collection === undefined) throw new ExpressionFailure(name, 'there is no such collection');
    if (this.making.has(name))
      throw new ExpressionFailure(`collections.${name}`, 'its records need each other to be made');
    this.making.add(name);
    try {
      const made = new MadeRows(this.make(collection));
      this.collections.set(name, made);
      return made;
    } finally {
      this.making.delete(name);
    }
  }

  /** The value of `.apply(name)`; undefined where the name is neither a template, nor a list of the world, nor a collection. */
  apply(name: string, target: Value): { value: Value } | undefined {
    if (name.startsWith('world.')) return { value: this.world.find(name.slice(6), target) };
    if (!this.document.collections.has(name)) return undefined;
    if (target === null || target === undefined) return { value: null };
    return { value: this.plainRows(name).byId.get(textOf(target))?.row ?? null };
  }

  private make(collection: Collection): MadeRow[] {
    const { name, from, row, id } = collection;
    if (from === undefined) return [];
    const start = new Date(this.startMs).toISOString();
    const input: Record<string, Value> = { let: this.document.constants, start };
    input['start_ms'] = this.startMs;
    const scope: Scope = { input: this.world.shownIn(input), options: this.options(name) };
    const items = from.value(scope);
    if (!Array.isArray(items)) throw new ExpressionFailure(from.place, 'it is not a list');
    const seen = new Set<string>();
    return items.map((it: Value, index): MadeRow => {
      input['it'] = it;
      input['index'] = index;
      const made = row === undefined ? it : row.run(scope);
      const record = asRow(made, row?.place ?? from.place);
      const key = idOf(id.value({ ...scope, input: record }), id.place);
      if (seen.has(key)) throw new ExpressionFailure(id.place, `two records have the id "${key}"`);
      seen.add(key);
      return { id: key, number: index + 1, row: record };
    });
  }

  private oddCollection(name: string): OddCollection {
    const { id, odd: named, hidden } = this.document.collections.get(name) as Collection;
    // Fields that the vendor never sends are the fake's own.
    const own = hidden.flatMap((field) => [field, `${field}.*`]);
    const odd = { ...named, always: [...named.always, ...own] };
    const options = this.options(name);
    const { leavesOut } = this.document.odd;
    return {
      name,
      odd,
      leavesOut,
      idOf: (row) => idOf(id.value({ input: row, options }), id.place),
    };
  }

  private options(name: string): RunOptions {
    return {
      apply: (run, applied, target) => {
        const template = this.document.templates.get(applied);
        if (template !== undefined) return template.compiled.applyTo(run, target);
        const found = this.apply(applied, target);
        if (found === undefined) throw new RunError(`there is no template "${applied}"`);
        return found.value;
      },
      surroundings: {
        now: () => this.startMs,
        random: seededRandom(`${this.document.name} ${name}`),
      },
    };
  }
}

/** @throws ExpressionFailure unless it is an object */
export function asRow(value: Value, place: string): Row {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return toStorable(value) as Row;
  throw new ExpressionFailure(place, 'a record must be an object');
}

/**
 * The value as JSON has it, because it may be stored: times as text, bytes as base64. Its keys are sorted, because responses are written
 * that way, and sorting the keys of each record of each response takes most of the time of a list. Copies only what differs.
 */
function toStorable(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Timestamp) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) {
    const list = value.map(toStorable);
    return list.some((one, index) => one !== value[index]) ? list : value;
  }
  const keys = Object.keys(value);
  const object = value as Row;
  const isSorted = keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
  const entries = keys.map((key) => [key, toStorable(object[key])] as const);
  if (isSorted && entries.every(([key, one]) => one === object[key])) return value;
  return Object.fromEntries(isSorted ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @throws ExpressionFailure unless it is a text or a number */
export function idOf(value: Value, place: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new ExpressionFailure(place, 'an id must be a text or a number');
}
