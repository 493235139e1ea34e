import { createHash } from 'node:crypto';
import { RunError, type Value } from '@onefold/mapping';
import type { Scope } from '../document/expressions.js';
import type { FakeDocument } from '../document/fake-document.js';
import { seededRandom } from '../random.js';
import type { Asked } from './graphql.js';
import type { ReadRequest } from './messages.js';
import { type RowAccess, visibleRow } from './row-access.js';

/** Input of the expressions of one request. It grows while the request is worked on. */
export class RequestScope implements Scope {
  readonly input: Record<string, Value>;
  readonly options: Scope['options'];
  /** The field that a query of GraphQL asks for. */
  asked: Asked | undefined;

  constructor(
    document: FakeDocument,
    request: ReadRequest,
    readonly facts: { url: URL; now: number; seed: string; startMs: number },
    readonly rows: RowAccess,
  ) {
    const { url, now, seed, startMs } = facts;
    this.input = rows.views.made.world.shownIn({
      method: request.method,
      url: request.url,
      origin: url.origin,
      path: {},
      query: queryOf(url),
      headers: request.headers,
      body: null,
      now: new Date(now).toISOString(),
      now_ms: now,
      start: new Date(startMs).toISOString(),
      start_ms: startMs,
      let: document.constants,
      with: {},
      user: null,
      limit: null,
      request_id: uuidOf(seed),
    });
    Object.defineProperty(this.input, 'newest', { get: () => rows.state.newest });
    this.options = {
      apply: (run, name, target) => {
        const template = document.templates.get(name);
        if (template !== undefined) return template.compiled.applyTo(run, target);
        if (name.startsWith('world.')) return rows.views.made.world.find(name.slice(6), target);
        if (!document.collections.has(name)) throw new RunError(`there is no template "${name}"`);
        return rows.find(name, target)?.row ?? null;
      },
      surroundings: { now: () => now, random: seededRandom(seed) },
    };
  }

  get now(): number {
    return this.facts.now;
  }

  set(key: string, value: Value): void {
    this.input[key] = value;
  }

  /** Keeps what a query of GraphQL asks for: its arguments are `this.arguments`. */
  ask(asked: Asked): void {
    this.asked = asked;
    this.set('arguments', asked.arguments);
  }

  /** Runs work with more keys in `this`, which are gone afterwards. */
  during<T>(keys: Readonly<Record<string, Value>>, work: () => T): T {
    const before = Object.keys(keys).map((key) => [key, this.input[key]] as const);
    Object.assign(this.input, keys);
    try {
      return work();
    } finally {
      for (const [key, value] of before) {
        if (value === undefined) Reflect.deleteProperty(this.input, key);
        else this.input[key] = value;
      }
    }
  }

  visible(collection: string, row: Readonly<Record<string, Value>>): Value {
    return visibleRow(this.rows.collection(collection), row);
  }
}

/** A UUID that follows from a text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  const variant = ((parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/** Parameters of the address: a text, or a list of them where one is there several times. */
function queryOf(url: URL): Record<string, Value> {
  const query: Record<string, Value> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    Object.defineProperty(query, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return query;
}
