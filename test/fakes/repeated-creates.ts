import { errors } from 'undici';
import { MockClient, openMock, type OverFake, Walker } from '#apps/provider-kit';
import { operationOf, type OperationId } from '#contract';
import { FakeDispatcher, type FakeEngine, type FakeResponse } from '#fakes';
import { mockType } from '#provider-document';
import type { Store } from '#store';
import type { FakeSetup } from '../../apps/provider-kit/src/over-fake/fake-setup.js';
import type { Answer, Request } from '../../apps/provider-kit/src/over-fake/over-provider.js';
import { readMockSteps, stepsOf } from '../../apps/provider-kit/src/over-fake/walk.js';

/** Faults of a request on its way to the provider, or of the answer on its way back. */
export const faults = ['lost', 'late', 'gone', '503', 'killed', 'unreachable'] as const;
export type Fault = (typeof faults)[number];

/** How a create ended that was repeated with its key. */
export interface Repeated {
  operation: OperationId;
  fault: Fault;
  /** The request of the create that met the fault, from 0. */
  index: number;
  /** True if the provider had carried out the request. */
  isDone: boolean;
  status: number;
  kind: string | undefined;
  remediation: string;
  /** Values in the provider's records beside those that one create makes: more are a duplicate, fewer a loss. */
  extra: number;
  /** True if the first call changed nothing at the provider. */
  isUntouched: boolean;
}

/**
 * Collections that are no records, by folder and collection: Linear has a place for a file before an attachment names it, Tenable the jobs of
 * its imports, whose assets count.
 */
const bookkeeping = new Set(['linear files', 'tenable imports']);
/** Time after which the call of a killed process is over. */
const overMs = 70_000;
const maxRepeats = 4;

interface Planned {
  fault: Fault;
  index: number;
  isDone: boolean;
}

/** The creates of a mock, each of which meets faults between Onefold and the fake, and is repeated with its `Idempotency-Key`. */
export class RepeatedCreates {
  readonly repeated: Repeated[] = [];
  readonly tried = new Set<OperationId>();
  private readonly over: OverFake;
  private planned: Planned | undefined;
  private count = 0;
  private isDead = false;
  private aborts = new AbortController();
  private keys = 0;
  private before = 0;

  constructor(
    private readonly setup: FakeSetup,
    store: Store,
  ) {
    const handle: FakeEngine['handle'] = async (request) => {
      if (new URL(request.url).pathname.endsWith('token'))
        return await this.over.fake.handle(request);
      return await this.carry(() => this.over.fake.handle(request));
    };
    const mortal = Object.create(store, {
      write: {
        value: (...parts: Parameters<Store['write']>) =>
          this.isDead ? new Promise(() => undefined) : store.write(...parts),
      },
    }) as Store;
    this.over = openMock(setup.folder, setup.type, {
      store: mortal,
      dispatcher: new FakeDispatcher({ handle }),
    });
    this.over.fake.limits.override = { requests: 1e6, seconds: 60 };
  }

  /** Takes the walk of the mock, and tries each create on copies of the provider's records. */
  async run(): Promise<void> {
    const { folder, type } = this.setup;
    const steps = readMockSteps(folder.read('mocks.yaml'))[mockType(type)] ?? [];
    const client = new MockClient(this.over);
    client.onCall = async (id, request) => {
      if (!operationOf(id).creates || this.tried.has(id)) return;
      this.tried.add(id);
      await this.tryCreate(id, request);
    };
    const walker = new Walker(client, {
      values: { unique: `Needle of ${type}` },
      offers: () => true,
      hasProvider: true,
    });
    await walker.run({ name: type, steps: stepsOf(this.over.provider.operations, steps) });
  }

  private async tryCreate(operation: OperationId, request: Request): Promise<void> {
    const sizes: number[] = [];
    // Providers show after a while what the walk has changed before, in the middle of a create that waits.
    this.over.now += overMs;
    this.before = this.size();
    await this.over.aside(async () => {
      const { status, body } = await this.call(operation, request, this.nextKey());
      if (status >= 300) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
      sizes.push(this.size());
    });
    const [whole = 0] = sizes;
    const requests = this.count;
    for (let index = 0; index < requests; index += 1)
      for (const fault of faults)
        for (const isDone of fault === 'unreachable' ? [false] : [true, false])
          await this.over.aside(() =>
            this.tryFault(operation, request, { fault, index, isDone }, whole),
          );
  }

  private async tryFault(
    operation: OperationId,
    request: Request,
    planned: Planned,
    whole: number,
  ): Promise<void> {
    const key = this.nextKey();
    this.planned = planned;
    // A call whose caller is gone ends without an answer.
    const first = this.call(operation, request, key).catch((error: unknown) => {
      if (!this.aborts.signal.aborted) throw error;
      return undefined;
    });
    const answer = planned.fault === 'killed' ? undefined : await first;
    if (planned.fault === 'killed') await this.untilDead(first);
    const isUntouched = this.size() === this.before;
    this.planned = undefined;
    const hasFailed = answer === undefined || answer.status >= 300;
    const last = hasFailed ? await this.repeat(operation, request, key) : answer;
    const { status, body } = last;
    this.repeated.push({
      operation,
      ...planned,
      status,
      kind: (body['type'] as string | undefined)?.replace('urn:onefold:problem:', ''),
      remediation: String(body['remediation']),
      extra: this.size() - whole,
      isUntouched,
    });
  }

  /** Sends the request again, as long as the answer says when. */
  private async repeat(operation: OperationId, request: Request, key: string): Promise<Answer> {
    for (let count = 1; ; count += 1) {
      const answer = await this.call(operation, request, key);
      const seconds = Number(answer.headers?.['retry-after'] ?? NaN);
      if (answer.status !== 409 || Number.isNaN(seconds) || count === maxRepeats) return answer;
      this.over.now += Math.max(seconds * 1000, count > 1 ? overMs * 5 : 0);
    }
  }

  private async call(id: OperationId, request: Request, idempotencyKey: string): Promise<Answer> {
    this.count = 0;
    this.isDead = false;
    this.aborts = new AbortController();
    const { signal } = this.aborts;
    return await this.over.answerTo(id, { ...structuredClone(request), idempotencyKey, signal });
  }

  /** A killed process stores nothing any more: its call never ends, or has ended before the fault. */
  private async untilDead(call: Promise<unknown>): Promise<void> {
    while (!this.isDead && (await isPending(call))) await new Promise(setImmediate);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    this.over.now += overMs;
  }

  private async carry(send: () => Promise<FakeResponse>): Promise<FakeResponse> {
    this.over.now += this.over.requestMs;
    const at = this.count;
    this.count += 1;
    const { planned } = this;
    if (planned === undefined || at < planned.index) return await send();
    if (planned.isDone && at === planned.index) await send();
    switch (planned.fault) {
      case 'unreachable':
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      case 'late':
        throw new errors.HeadersTimeoutError();
      case '503':
        return { status: 503, headers: {}, body: new Uint8Array() };
      case 'gone':
        this.aborts.abort();
        break;
      case 'killed':
        this.isDead = true;
        break;
      case 'lost':
    }
    throw new errors.SocketError('other side closed');
  }

  /** Number of values in what was changed at the provider. */
  private size(): number {
    return sizeOf(
      this.over.changes
        .filter(({ collection }) => !bookkeeping.has(`${this.setup.folder.name} ${collection}`))
        .map(({ entry }) => entry),
    );
  }

  private nextKey(): string {
    this.keys += 1;
    return `${this.setup.type} ${this.keys}`;
  }
}

async function isPending(call: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const first = await Promise.race([call.catch(() => undefined), Promise.resolve(pending)]);
  return first === pending;
}

/** Number of values in records: every list element and field counts. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 1);
}
