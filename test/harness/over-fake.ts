import { readFileSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { type OperationId, operationOf } from '#contract';
import {
  type FakeCredentials,
  FakeDispatcher,
  type FakeDocument,
  FakeEngine,
  type FakeRequest,
  type FakeResponse,
  type FaultRule,
  type LoggedRequest,
  makeWorld,
  MemoryStorage,
  readFake,
} from '#fakes';
import { ocsfFaults } from '#apps/provider-kit';
import type { ClientFunctions } from '#provider-document';
import { NoPauses } from '#egress';
import type { Value } from '@onefold/mapping';
import { RowAccess, RowViews } from '../../libs/fakes/src/engine/row-access.js';
import type { Row } from '../../libs/fakes/src/state/entry.js';
import { madeCollections } from '../../libs/fakes/src/state/made-collections.js';
import type { Description } from '../simulators/description.js';

import {
  type Answer,
  bytesOf,
  type Json,
  OverProvider,
  type ProviderParts,
  type Request,
} from './over-provider.js';
import { DescribedFake } from './shared-description.js';

export interface OverFakeOptions extends Pick<ProviderParts, 'ownAwsKeys' | 'tokens'> {
  /** `provider_config` without its credential. */
  config?: Json;
  /** Makes the credential of what the fake accepts; by default a token. */
  credential?: (accepted: FakeCredentials) => Json;
  /** Where `provider_config` has the credential. */
  slot?: string;
  /** The caller of the fake whose credentials the integration has. */
  principal?: string;
  /** Those of the vendor's client.ts. */
  functions?: ClientFunctions;
  /** The vendor's description, against which every request and response of the fake is held where it is there. */
  description?: Description | undefined;
  /** Paths that are missing in the description. */
  undescribed?: RegExp;
  /** OCSF class of an operation's records; those of the others are linted as the class that they name. */
  classes?: Partial<Record<OperationId, string>>;
  /** Goes in front of the fake, such as a service that gives keys for it. */
  before?: (request: FakeRequest) => FakeResponse | undefined;
  /** Records per page of `all`. */
  pageSize?: number;
  /** The time at which the world begins; a fixed one when absent. */
  start?: Date;
  /** Time that passes with every request to the fake, in which its jobs go on; none when absent. */
  requestMs?: number;
  /** Makes another fake of the vendor's, such as one with a mistake. */
  alter?: (document: FakeDocument) => FakeDocument;
  /** Carries the requests, if the fake is not to be called in this process. */
  dispatcher?: Pick<Dispatcher, 'dispatch'>;
}

/** Rows of a page where a list is read to its end. */
const maxRows = 500;
const defaultStart = new Date('2026-11-22T00:00:00Z');

/** The document of a vendor over the vendor's fake. Records are held against the lint of OCSF, and the fake against its own rules. */
export class OverFake extends OverProvider {
  readonly start: Date;
  /** The time of the document and of the fake, in epoch milliseconds. */
  now: number;
  /** Time that each request to the fake takes on its clock. */
  requestMs: number;
  fake: FakeEngine;
  /** Called before each request that arrives at the fake. @returns what goes wrong with it */
  intercept: ((request: FakeRequest) => FaultRule | undefined) | undefined;
  /** Collects what the fake answers, where a test has set it. */
  answered: { url: string; text: string }[] | undefined;
  private readonly document: FakeDocument;
  private storage = new MemoryStorage();
  private described: DescribedFake | undefined;

  /** @param type id of the provider */
  constructor(
    private readonly folder: URL,
    type: string,
    private readonly options: OverFakeOptions = {},
  ) {
    const handle: FakeEngine['handle'] = async (request) => {
      this.now += this.requestMs;
      const fault = this.intercept?.(request);
      if (fault !== undefined) this.fake.faults.add(fault);
      const response =
        options.before?.(request) ??
        // A fault is not what the vendor describes.
        (await (fault === undefined && this.described ? this.described : this.fake).handle(
          request,
        ));
      this.answered?.push({ url: request.url, text: Buffer.from(response.body).toString() });
      return response;
    };
    const { functions, ownAwsKeys, tokens, dispatcher = new FakeDispatcher({ handle }) } = options;
    super({
      ...{ folder, type, functions, ownAwsKeys, tokens, callMs: 60_000 },
      dispatcher: dispatcher as Dispatcher,
      policy: { checkUrl: (text: string) => new URL(text) } as never,
      clock: { now: () => this.now },
      pauses: new NoPauses((ms) => (this.now += ms)),
    });
    const { start = defaultStart, requestMs = 0, alter = (document) => document } = options;
    this.start = start;
    this.now = start.getTime();
    this.requestMs = requestMs;
    this.document = alter(readFake(this.read('fake.yaml'), (name) => this.read(name)));
    this.fake = this.makeFake();
    const { principal = 'admin', config = {}, credential = tokenOf, slot = 'credential' } = options;
    const accepted = this.fake.credentials().find((one) => one.principal === principal);
    if (accepted === undefined) throw new Error(`the fake knows no ${principal}`);
    this.configure({ ...config, [slot]: credential(accepted) });
  }

  /** Starts again with the records of the world. */
  reset(): void {
    this.now = this.start.getTime();
    this.storage = new MemoryStorage();
    this.fake = this.makeFake();
  }

  /** Does something on a copy of the vendor's records, which are as before when it has ended. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    const { storage, fake, described, now } = this;
    this.storage = storage.copy();
    this.fake = this.makeFake();
    try {
      return await work();
    } finally {
      Object.assign(this, { storage, fake, described, now });
    }
  }

  /** The collections that routes of the fake list, by the keys of the routes in its log. */
  listedCollections(routes: readonly (string | null)[]): Set<string> {
    const found = this.document.routes.filter(({ key }) => routes.includes(key));
    return new Set(found.flatMap(({ list }) => list?.from ?? []));
  }

  /** Adds copies of the first, the middle and the last record of a collection of the fake, with ids of their own. */
  async addCopies(collection: string): Promise<void> {
    const made = madeCollections(this.document, makeWorld, { start: this.start, dataset: 'BASIC' });
    await this.storage.work((state) => {
      const access = new RowAccess(this.document, new RowViews(made), state, this.now);
      const rows = access.views.view(collection, false).rows(state, this.now);
      const chosen = new Set([rows[0], rows[rows.length >> 1], rows.at(-1)]);
      for (const one of chosen) {
        if (one === undefined) continue;
        const number = state.sequence();
        const id = newIdOf(one.id, number);
        const at = { at: this.now, shown: this.now, was: null, later: [] };
        state.put(collection, id, { number, row: renamed(one.row, one.id, id) as Row, ...at });
      }
    });
  }

  override all(
    id: OperationId,
    query: Record<string, unknown> = {},
    path = {},
    options: { checked?: boolean } = {},
  ): Promise<Json[]> {
    const { maximum = maxRows } = operationOf(id).query['limit'] ?? {};
    const limit = Math.min(this.options.pageSize ?? maxRows, maximum);
    return super.all(id, { limit, ...query }, path, options);
  }

  /** Calls an operation that returns a file. */
  async file(
    id: OperationId,
    request: Request,
  ): Promise<{ headers: Readonly<Record<string, string>>; bytes: Buffer }> {
    const answer = await this.call(id, request);
    return { bytes: await bytesOf(answer), headers: answer.file?.headers ?? {} };
  }

  /** The requests that the fake got since the last call; of a parameter that was sent once, the value. */
  requests(): LoggedRequest[] {
    return this.fake.log.requests.splice(0).map((request) => ({
      ...request,
      query: Object.fromEntries(
        Object.entries(request.query).map(([name, value]) => {
          const values = [value].flat();
          return [name, values.length === 1 ? values[0] : values];
        }),
      ),
    }));
  }

  /** Calls an operation while the provider fails. @returns status and message of the problem, and its remedy */
  async failing(id: OperationId, rule: FaultRule, request: Request = {}): Promise<Json> {
    this.fake.faults.add({ times: 10, ...rule });
    const { status, body } = await this.answerTo(id, request);
    this.fake.faults.clear();
    this.described?.faults.splice(0); // a fault is not what the vendor describes
    return { status, ...body };
  }

  protected faultsOf(id: OperationId, { status, body }: Answer): string[] {
    const { undescribed = /^$/, classes = {} } = this.options;
    return [
      ...this.fake.log.violations.map((one) => JSON.stringify(one)),
      ...(this.described?.faults ?? []).filter((one) => !undescribed.test(one)),
      ...(status < 300 ? ocsfFaults(id, body['result'], classes[id]) : []),
    ];
  }

  private read(name: string): string {
    return readFileSync(new URL(name, this.folder), 'utf8');
  }

  private makeFake(): FakeEngine {
    const fake = new FakeEngine(this.document, {
      storage: this.storage,
      clock: () => this.now,
      ...{ start: this.start, dataset: 'BASIC', key: 'any secret' },
    });
    const { description } = this.options;
    this.described = description && new DescribedFake(fake, description);
    return fake;
  }
}

function tokenOf({ secret }: FakeCredentials): Json {
  return { type: 'token', secret };
}

/** An id of the same length that no record of the world has. */
function newIdOf(id: string, number: number): string {
  const last = String(number);
  if (/^\d+$/.test(id)) return last;
  return id.length > last.length + 4 ? id.slice(0, -last.length) + last : id + last;
}

/** The value with another id wherever it has the one. */
function renamed(value: Value, from: string, to: string): Value {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (typeof value === 'number') return String(value) === from ? Number(to) : value;
  if (Array.isArray(value)) return value.map((one: Value) => renamed(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, renamed(one as Value, from, to)]),
  );
}
