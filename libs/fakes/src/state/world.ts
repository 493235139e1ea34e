import { LRUCache } from 'lru-cache';
import type { Value } from '@onefold/mapping';
import type { Row } from './entry.js';

export const datasets = ['BASIC', 'EMPTY', 'ODD'] as const;
/** The records of a fake: those of the company, none, or those of the company with what is unusual at customers. */
export type Dataset = (typeof datasets)[number];

export interface WorldOptions {
  start: Date;
  dataset: Exclude<Dataset, 'ODD'>;
  /** How many times larger than the basic world; 1 when absent. */
  scale?: number;
}

/** How the collections of a fake are filled. */
export type RecordOptions = Omit<WorldOptions, 'dataset'> & { dataset: Dataset };

/** Lists of plain objects by name, each object with its `key`. */
export type WorldLists = object;
export type MakeWorld = (options: WorldOptions) => WorldLists;

const maxWorlds = 8;
const worlds = new WeakMap<MakeWorld, LRUCache<string, World>>();

/** The world of these options; kept, so that all fakes of a start share it. */
export function worldOf(makeWorld: MakeWorld, options: WorldOptions): World {
  const made = worlds.get(makeWorld) ?? new LRUCache({ max: maxWorlds });
  worlds.set(makeWorld, made);
  const key = JSON.stringify(options);
  let world = made.get(key);
  if (world === undefined) {
    world = new World(() => makeWorld(options));
    made.set(key, world);
  }
  return world;
}

/** A made-up company, made when it is first asked for. */
export class World {
  private made: Readonly<Record<string, readonly Row[]>> | undefined;
  private readonly indexes = new Map<string, ReadonlyMap<Value, Row>>();

  constructor(private readonly make: () => WorldLists) {}

  get lists(): Readonly<Record<string, readonly Row[]>> {
    return (this.made ??= this.make() as Record<string, readonly Row[]>);
  }

  /** The object of a list by its key; null where there is none. */
  find(list: string, key: Value): Value {
    let index = this.indexes.get(list);
    if (index === undefined) {
      index = new Map((this.lists[list] ?? []).map((one) => [one['key'], one]));
      this.indexes.set(list, index);
    }
    return index.get(key) ?? null;
  }

  /** Adds `this.world` to the input of expressions, which makes the world when one reads it. */
  shownIn(input: Record<string, Value>): Record<string, Value> {
    return Object.defineProperty(input, 'world', { get: () => this.lists });
  }
}
