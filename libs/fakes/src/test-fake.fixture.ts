import { type Dataset, FakeEngine, type FakeStorage, MemoryStorage, readFake } from './index.js';

const start = new Date('2026-11-01T00:00:00Z');

/** A small world for specs: 25 devices of 5 people, ids and times that follow from the number. */
export function makeTestWorld({ dataset, scale = 1 }: { dataset: string; scale?: number }) {
  if (dataset === 'EMPTY') return { people: [], devices: [] };
  const people = Array.from({ length: 5 }, (_, index) => ({
    key: `p${index + 1}`,
    name: ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil'][index],
  }));
  const devices = Array.from({ length: 25 * scale }, (_, index) => ({
    key: `d${index + 1}`,
    hostname: `WS-${String(index + 1).padStart(2, '0')}`,
    owner: index % 6 === 5 ? null : `p${(index % 5) + 1}`,
    seen: new Date(start.getTime() - index * 3_600_000).toISOString(),
  }));
  return { people, devices };
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string>;
  // The tests look into responses of any shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  text: string;
  broken: string | undefined;
}

export interface TestCall {
  headers?: Record<string, string>;
  /** JSON, or a text as it is. */
  body?: unknown;
}

/** A fake of a document with a clock that a test moves. */
export class TestFake {
  now = start.getTime();
  readonly engine: FakeEngine;

  constructor(
    source: string,
    options: {
      storage?: FakeStorage;
      key?: string;
      dataset?: Dataset;
      scale?: number;
    } = {},
  ) {
    this.engine = new FakeEngine(readFake(source), {
      storage: new MemoryStorage(),
      makeWorld: makeTestWorld,
      clock: () => this.now,
      start,
      dataset: 'BASIC',
      key: 'specs',
      ...options,
    });
  }

  advance(seconds: number): void {
    this.now += seconds * 1_000;
  }

  /** @param request `METHOD /path` */
  async call(request: string, { headers = {}, body }: TestCall = {}): Promise<TestAnswer> {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(request) ?? [];
    const isText = typeof body === 'string';
    const type = body === undefined || isText ? {} : { 'content-type': 'application/json' };
    const bytes = Buffer.from(isText ? body : body === undefined ? '' : JSON.stringify(body));
    const url = /^https?:/.test(path) ? path : `https://api.test${path}`;
    const answer = await this.engine.handle({
      method,
      url,
      headers: { ...type, ...headers },
      body: bytes,
    });
    const text = Buffer.from(answer.body).toString();
    return { ...answer, text, body: parsed(text), broken: answer.broken };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The errors that most documents of specs need. */
export const errorsOfTests = `
errors:
  body: 'root = {"error": this.error.name, "message": this.error.message}'
  unauthenticated: { status: 401, message: who are you }
  expired_token: { status: 401, message: the token has expired }
  forbidden: { status: 403, message: 'needs {this.error.detail}' }
  no_route: { status: 404, message: no such route }
  no_method: { status: 405, message: 'use {this.error.detail}' }
  bad_parameter: { status: 400, message: '{this.error.detail}' }
  bad_body: { status: 400, message: '{this.error.detail}' }
  bad_query: { status: 400, message: '{this.error.detail} at {this.error.position}' }
  bad_cursor: { status: 400, message: '{this.error.detail}' }
  conflict: { status: 409, message: 'already exists: {this.error.detail}' }
  limited: { status: 429, message: slow down, headers: { Retry-After: this.limit.wait } }
  failure: { status: 500, message: it broke }
  not_found: { status: 404, message: 'not found: {this.error.detail}' }
`;
