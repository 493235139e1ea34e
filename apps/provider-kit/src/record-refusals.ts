import type { Operation } from '#contract';
import { type Ran, withEngine } from './engine.js';
import {
  type OurRequest,
  type Refusal,
  refusalsFile,
  type Refusals,
  refusalStatuses,
  type RefusalStatus,
  writeFixture,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { excusedOf, type Live, type Plan } from './plan.js';
import { type Recorder, unanswered } from './recorder.js';

const isRefusal: Record<RefusalStatus, (ran: Ran) => boolean> = {
  401: ({ state }) => state === 'credentials_refused',
  403: ({ state }) => state === 'permission_missing',
  404: ({ answer, met }) => answer.status === 404 && !met.some((at) => at.includes('.checks.')),
  429: ({ state }) => state === 'rate_limited',
};

type Attempt = Parameters<Recorder['engine']>[1] & { before?: Recorder['before'] };

/** Records how the provider refuses a call, once for each status: a real refusal if a call of the plan gets one. */
export class RefusalRecording {
  private readonly found: Refusals['refusals'] = {};
  /** The first call, for refusals that need a fault or the documentation. */
  private first: { operation: Operation; request: OurRequest } | undefined;

  constructor(
    private readonly folder: ProviderFolder,
    private readonly plan: Plan,
    private readonly live: Live,
    private readonly recorder: Recorder,
    /** Time of the recording; for refusals the time of the 429, whose headers name times near to it. */
    private at: number,
  ) {}

  /** Repeats a call of the plan with a wrong secret, and with those of somebody with few permissions. */
  async before(operation: Operation, request: OurRequest): Promise<void> {
    this.first ??= { operation, request };
    const { forbidden } = this.live;
    await this.attempt('401', operation, request, { credential: 'wrong' });
    if (forbidden !== undefined)
      await this.attempt('403', operation, request, { credential: forbidden });
  }

  /** Repeats a call of the plan with an unknown id, once its record exists. */
  async after(operation: Operation, request: OurRequest): Promise<void> {
    if (!operation.path.includes('{')) return;
    const { unknown_id: unknownId = '999999' } = this.plan;
    const path = Object.fromEntries(
      Object.keys(request.path ?? {}).map((name) => [name, unknownId]),
    );
    await this.attempt('404', operation, { ...request, path }, {});
  }

  /** Gets the other refusals by a fault of the system or from its documentation. @returns those that are missing */
  async write(said: (line: string) => void): Promise<string[]> {
    const { folder, plan, first, found } = this;
    if (first === undefined) return [];
    const hasPath = plan.calls.some(({ path }) => path !== undefined);
    const excused = excusedOf(folder);
    const problems: string[] = [];
    for (const status of refusalStatuses) {
      if (excused.includes(`refusals.${status}`)) continue;
      for (const attempt of this.ways(status))
        await this.attempt(status, first.operation, first.request, attempt);
      if (found[status] === undefined && (status !== '404' || hasPath))
        problems.push(
          `refusals.${status}: no call was refused with it; add the secrets of somebody with few permissions as forbidden, or the documented response as documented, or list it under without`,
        );
    }
    // Always in this order.
    const refusals = Object.fromEntries(
      refusalStatuses.flatMap((status) => (found[status] ? [[status, found[status]]] : [])),
    );
    writeFixture(folder, refusalsFile, { at: new Date(this.at).toISOString(), refusals });
    said(folder.shown(refusalsFile));
    return problems;
  }

  private ways(status: RefusalStatus): Attempt[] {
    const { fail } = this.live;
    const documented = this.plan.documented?.[status];
    const ways: Attempt[] = [];
    if (fail !== undefined && (status === '403' || status === '429'))
      ways.push({
        before: async (number) => {
          if (number === 1) await fail(Number(status));
          return undefined;
        },
      });
    if (documented !== undefined)
      ways.push({ before: (number) => Promise.resolve(number === 1 ? documented : undefined) });
    return ways;
  }

  private async attempt(
    status: RefusalStatus,
    operation: Operation,
    request: OurRequest,
    { before, ...options }: Attempt,
  ): Promise<void> {
    if (this.found[status] !== undefined) return;
    const { recorder } = this;
    if (status === '429') this.at = Date.now();
    recorder.before = before;
    const ran = await withEngine(recorder.engine(this.at, options), (one) =>
      one.run(operation, request),
    );
    recorder.before = undefined;
    const answered = recorder.take().filter(({ response: { status: of } }) => of !== unanswered);
    const last = answered.at(-1);
    if (last === undefined || !isRefusal[status](ran)) return;
    const { response, from_documentation } = last;
    const { words, answer } = ran;
    this.found[status] = {
      response,
      ...(words === undefined ? {} : { words }),
      ...(status === '429' ? { seconds: Number(answer.headers?.['retry-after']) } : {}),
      ...(from_documentation ? { from_documentation } : {}),
    } satisfies Refusal;
  }
}
