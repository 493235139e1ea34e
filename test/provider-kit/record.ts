import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { loadValidators, type Operation, operationOf, validateBody } from '#contract';
import { faultsOfResponse } from '../e2e/validate-response.js';
import { type Ran, using } from './engine.js';
import {
  comparable,
  type Exchange,
  type Fixture,
  fixturesOf,
  integrationFile,
  integrationOf,
  type NamedFixture,
  type OurAnswer,
  type OurRequest,
  writeFixture,
  writeIntegration,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { Recorder } from './recorder.js';
import { type Live, type Plan, type PlannedCall, originOf, planOf, RecordFailed } from './plan.js';
import { recordVerification } from './record-verification.js';
import { walkPages } from './replay.js';
import { Scrubber } from './scrubber.js';

const mostFaults = 5;

interface Way {
  request: OurRequest;
  more?: { credential: Record<string, string> | 'wrong' };
  before?: Recorder['before'];
}

const failures = [
  { status: 401, is: ({ status, body }: OurAnswer) => status === 502 && says(body, 'refuses') },
  { status: 403, is: ({ status, body }: OurAnswer) => status === 502 && says(body, 'permit') },
  { status: 404, is: ({ status }: OurAnswer) => status === 404 },
  { status: 429, is: ({ status }: OurAnswer) => status === 429 },
] as const;

/** Calls a live system as the plan says, and writes what both sides said. @returns what could not be recorded */
export async function record(
  folder: ProviderFolder,
  live: Live,
  said: (line: string) => void,
  only: 'verify' | 'all' = 'all',
): Promise<string[]> {
  await loadValidators();
  const scrubber = new Scrubber(folder.name, live.configuration, live.scrub);
  const recorder = await Recorder.start(folder, scrubber);
  try {
    const recording = new Recording(folder, planOf(folder), live, recorder, said);
    if (only === 'all') await recording.run();
    else if (!folder.has(integrationFile)) writeIntegration(folder, scrubber.kept());
    else if (!isDeepStrictEqual(integrationOf(folder), scrubber.kept()))
      throw new RecordFailed(
        `the configuration is another one than ${folder.shown(integrationFile)} was recorded with; record all of it, without --only`,
      );
    return [...recording.problems, ...(await recordVerification(folder, live, recorder, said))];
  } finally {
    await recorder.stop();
  }
}

class Recording {
  readonly problems: string[] = [];
  private readonly known: Record<string, unknown>;
  private readonly written = new Set<string>();

  constructor(
    private readonly folder: ProviderFolder,
    private readonly plan: Plan,
    private readonly live: Live,
    private readonly recorder: Recorder,
    private readonly said: (line: string) => void,
  ) {
    this.known = { config: live.configuration };
  }

  async run(): Promise<void> {
    writeIntegration(this.folder, this.recorder.scrubber.kept());
    for (const call of this.plan.calls) await this.call(call);
    for (const { file } of fixturesOf(this.folder))
      if (!this.written.has(file)) rmSync(new URL(`fixtures/${file}`, this.folder.url));
  }

  private async call(call: PlannedCall): Promise<void> {
    const operation = operationOf(call.operation);
    const request = this.requestOf(call, operation);
    if (call.page_size !== undefined)
      return await this.pages(operation, request, call.page_size, call.case ?? 'pages');
    const withFailures = call.setup !== true && call.case === undefined;
    if (withFailures)
      for (const status of [401, 403, 429]) await this.fails(operation, request, status);
    const { answer } = await this.works(operation, request, call);
    if (call.as !== undefined) this.known[call.as] = (answer.body as { result: unknown }).result;
    if (withFailures && operation.path.includes('{')) await this.fails(operation, request, 404);
  }

  private async works(operation: Operation, request: OurRequest, call: PlannedCall): Promise<Ran> {
    const at = Date.now();
    const { documented_at: instead = 1 } = call;
    const documented = this.filled(call.documented) as PlannedCall['documented'];
    if (documented !== undefined)
      this.recorder.before = (number) =>
        Promise.resolve(number === instead ? documented : undefined);
    const ran = await using(this.recorder.engine(at), (engine) => engine.run(operation, request));
    this.recorder.before = undefined;
    const exchanges = this.recorder.take();
    const faults = faultsOfResponse(operation, ran.answer.status, ran.answer.body);
    if ((ran.answer.status >= 300 && call.case === undefined) || faults.length > 0)
      throw new RecordFailed(unexpected(operation, ran, faults, exchanges));
    if (call.setup !== true)
      this.write(operation, call.case ?? 'works', at, {
        request,
        exchanges,
        answer: comparable(ran.answer),
      });
    return ran;
  }

  private async pages(
    operation: Operation,
    request: OurRequest,
    pageSize: number,
    name: string,
  ): Promise<void> {
    const at = Date.now();
    const engine = this.recorder.engine(at, { pageSize });
    const walked = await using(engine, () =>
      walkPages({ operation, request } as NamedFixture, () => engine),
    );
    const exchanges = this.recorder.take();
    if (walked.failed !== undefined)
      throw new RecordFailed(`${operation.id} gave ${JSON.stringify(walked.failed)} on a page`);
    const { pages } = walked;
    this.write(operation, name, at, { request, page_size: pageSize, exchanges, pages });
  }

  /** A failure, as it can be had: from somebody who may do little, from a system that can be told to fail, or from the documentation. */
  private async fails(operation: Operation, request: OurRequest, status: number): Promise<void> {
    const name = `${operation.id}.${status}`;
    if (Object.values(this.plan.without ?? {}).some((names) => names.includes(name))) return;
    const isIt = failures.find((one) => one.status === status)?.is;
    for (const attempt of this.waysTo(status, request)) {
      const at = Date.now();
      const engine = this.recorder.engine(at, { ...attempt.more });
      this.recorder.before = attempt.before;
      const { answer } = await using(engine, (one) => one.run(operation, attempt.request));
      this.recorder.before = undefined;
      const exchanges = this.recorder.take();
      if (isIt?.(answer) !== true) continue;
      this.write(operation, String(status), at, { request: attempt.request, exchanges, answer });
      return;
    }
    this.problems.push(
      `${name}: it could not be had; give somebody who may do less as forbidden, or what the documentation says as documented, or name it under without`,
    );
  }

  private waysTo(status: number, request: OurRequest): Way[] {
    const ways: Way[] = [];
    const { nobody = '999999', documented = {} } = this.plan;
    const { forbidden, fail } = this.live;
    if (status === 401) ways.push({ request, more: { credential: 'wrong' } });
    if (status === 404) {
      const path = Object.keys(request.path ?? {}).map((name) => [name, nobody]);
      ways.push({
        request: { ...request, path: Object.fromEntries(path) as Record<string, string> },
      });
    }
    if (status === 403 && forbidden !== undefined)
      ways.push({ request, more: { credential: forbidden } });
    if (status !== 404 && status !== 401 && fail !== undefined)
      ways.push({
        request,
        before: async (number) => {
          if (number === 1) await fail(status);
          return undefined;
        },
      });
    const instead = documented[String(status)];
    if (instead !== undefined)
      ways.push({
        request,
        before: (number) => Promise.resolve(number === 1 ? instead : undefined),
      });
    return ways;
  }

  private requestOf({ path, query, body, file }: PlannedCall, operation: Operation): OurRequest {
    const request = this.filled({ path, query, body, file }) as OurRequest;
    const faults = body === undefined ? [] : validateBody(operation, request.body);
    if (faults.length > 0)
      throw new RecordFailed(`the plan's body of ${operation.id}: ${JSON.stringify(faults)}`);
    return JSON.parse(JSON.stringify(request)) as OurRequest;
  }

  /** `$ticket.id` is what an earlier call gave. */
  private filled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.filled(one)]));
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    const found = value
      .slice(1)
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], this.known);
    if (found === undefined)
      throw new RecordFailed(`the plan names ${value}, which no call has given`);
    return found;
  }

  private write(
    operation: Operation,
    name: string,
    at: number,
    fixture: Omit<Fixture, 'at'>,
  ): void {
    const whole = { ...originOf(this.live, at), ...fixture };
    this.said(writeFixture(this.folder, operation.id, name, whole));
    this.written.add(`${operation.id}.${name}.yaml`);
  }
}

function says(body: unknown, word: string): boolean {
  return String((body as { message?: unknown } | undefined)?.message).includes(word);
}

/** What people have to know to put the document or the system right. */
function unexpected(
  { id }: Operation,
  { answer }: Ran,
  faults: readonly string[],
  exchanges: readonly Exchange[],
): string {
  const { message, remediation = '' } = (answer.body ?? {}) as Record<string, string | undefined>;
  const said =
    answer.status >= 300
      ? `${id} does not work, it answers ${answer.status}: ${message}. ${remediation}`
      : `${id} answers what the contract does not have: ${few(faults)}\n${JSON.stringify(answer.body)}`;
  const calls = exchanges.map(
    ({ request, response }) =>
      `  ${request.method} ${request.url}: ${response.status} ${JSON.stringify(response.json ?? response.text ?? '').slice(0, 500)}`,
  );
  return [
    said,
    ...(calls.length === 0 ? [] : ['The provider was asked, and said:', ...calls]),
  ].join('\n');
}

/** A record of many possible kinds has a fault for each. */
function few(faults: readonly string[]): string {
  const more = faults.length - mostFaults;
  return [...faults.slice(0, mostFaults), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
