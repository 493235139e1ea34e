import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  loadValidatorOf,
  loadValidators,
  type Operation,
  operationOf,
  operations,
  validateBody,
} from '#contract';
import { faultsOfResponse } from './validate-response.js';
import { compiledOf } from './compiled-folder.js';
import { type Ran, withEngine } from './engine.js';
import {
  type Case,
  type Exchange,
  fixturesOf,
  integrationFile,
  integrationOf,
  type NamedFixture,
  type OperationFixtures,
  type OurRequest,
  writeFixture,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { keptAnswer } from './kept-answer.js';
import { Recorder } from './recorder.js';
import { type Live, type Plan, type PlannedCall, planOf, RecordFailed } from './plan.js';
import { RefusalRecording } from './record-refusals.js';
import { recordVerification } from './record-verification.js';
import { walkPages } from './replay.js';
import { Scrubber } from './scrubber.js';

const maxFaults = 5;

/** Calls a live system by the plan, and writes both sides. @returns parts that could not be recorded */
export async function record(
  folder: ProviderFolder,
  live: Live,
  said: (line: string) => void,
  only: 'verify' | 'all' = 'all',
): Promise<string[]> {
  await loadValidators();
  for (const operation of operations.values()) await loadValidatorOf(operation);
  const scrubber = new Scrubber(folder.name, live.configuration, live.scrub);
  const recorder = await Recorder.start(folder, scrubber);
  const at = Date.now();
  try {
    const plan = planOf(folder);
    const recording = new Recording(folder, plan, live, recorder, said, at);
    if (only === 'all') await recording.run();
    else if (!folder.has(integrationFile)) writeFixture(folder, integrationFile, scrubber.kept());
    else if (!isDeepStrictEqual(integrationOf(folder), scrubber.kept()))
      throw new RecordFailed(
        `the configuration differs from the one in ${folder.shown(integrationFile)}; record everything, without --only`,
      );
    return [...recording.problems, ...(await recordVerification(folder, live, recorder, said, at))];
  } finally {
    await recorder.stop();
  }
}

class Recording {
  private readonly known: Record<string, unknown>;
  /** Fixtures by operation, in the order of the plan. */
  private readonly fixtures = new Map<string, OperationFixtures>();
  private readonly refusals: RefusalRecording;
  problems: string[] = [];

  /** Prepares a recording. @param at current time of the engine during all of it */
  constructor(
    private readonly folder: ProviderFolder,
    private readonly plan: Plan,
    private readonly live: Live,
    private readonly recorder: Recorder,
    private readonly said: (line: string) => void,
    private readonly at: number,
  ) {
    this.known = { config: live.configuration };
    this.refusals = new RefusalRecording(folder, plan, live, recorder, at);
  }

  async run(): Promise<void> {
    const { folder } = this;
    writeFixture(folder, integrationFile, this.recorder.scrubber.kept());
    for (const call of this.plan.calls) await this.call(call);
    for (const [id, fixtures] of this.fixtures) {
      writeFixture(folder, `fixtures/${id}.yaml`, fixtures);
      this.said(folder.shown(`fixtures/${id}.yaml`));
    }
    for (const { file } of fixturesOf(folder))
      if (!this.fixtures.has(file.replace(/\.yaml$/, '')))
        rmSync(new URL(`fixtures/${file}`, folder.url), { force: true });
    this.problems = await this.refusals.write(this.said);
  }

  private async call(call: PlannedCall): Promise<void> {
    const operation = operationOf(call.operation);
    const request = this.requestOf(call, operation);
    if (call.page_size !== undefined)
      return await this.pages(operation, request, call.page_size, call.case ?? 'pages');
    const isPlain = call.setup !== true && call.case === undefined;
    if (isPlain) await this.refusals.before(operation, request);
    const { answer } = await this.works(operation, request, call);
    if (call.as !== undefined) this.known[call.as] = (answer.body as { result: unknown }).result;
    if (isPlain) await this.refusals.after(operation, request);
  }

  private async works(operation: Operation, request: OurRequest, call: PlannedCall): Promise<Ran> {
    const { documented_at: instead = 1 } = call;
    const documented = this.filled(call.documented) as PlannedCall['documented'];
    if (documented !== undefined)
      this.recorder.before = (number) =>
        Promise.resolve(number === instead ? documented : undefined);
    const engine = this.recorder.engine(this.at);
    const ran = await withEngine(engine, (one) => one.run(operation, request));
    this.recorder.before = undefined;
    const exchanges = this.recorder.take();
    const faults = faultsOfResponse(operation, ran.answer.status, ran.answer.body);
    if ((ran.answer.status >= 300 && call.case === undefined) || faults.length > 0)
      throw new RecordFailed(unexpected(operation, ran, faults, exchanges));
    const answer = keptAnswer(ran);
    if (call.setup !== true)
      this.add(operation, call.case ?? 'works', { request, exchanges, answer });
    return ran;
  }

  private async pages(
    operation: Operation,
    request: OurRequest,
    pageSize: number,
    name: string,
  ): Promise<void> {
    const engine = this.recorder.engine(this.at, { pageSize });
    const walked = await withEngine(engine, () =>
      walkPages({ operation, request } as NamedFixture, () => engine),
    );
    const exchanges = this.recorder.take();
    if (walked.failed !== undefined)
      throw new RecordFailed(
        `${operation.id} failed with ${JSON.stringify(walked.failed)} on a page`,
      );
    const { pages } = walked;
    this.add(operation, name, { request, page_size: pageSize, exchanges, pages });
  }

  private requestOf({ path, query, body, file }: PlannedCall, operation: Operation): OurRequest {
    const request = this.filled({ path, query, body, file }) as OurRequest;
    const faults = body === undefined ? [] : validateBody(operation, request.body);
    if (faults.length > 0)
      throw new RecordFailed(`the plan's body of ${operation.id}: ${JSON.stringify(faults)}`);
    return JSON.parse(JSON.stringify(request)) as OurRequest;
  }

  /** Replaces `$ticket.id` by the result of an earlier call. */
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
      throw new RecordFailed(`the plan uses ${value}, which no earlier call returned`);
    return found;
  }

  private add({ id }: Operation, name: string, one: Case): void {
    const { folder, at } = this;
    const { needs } = compiledOf(folder).document.operations.get(id)?.source ?? {};
    const fixtures = this.fixtures.get(id) ?? {
      at: new Date(at).toISOString(),
      ...(needs === undefined ? {} : { needs }),
      cases: {},
    };
    this.fixtures.set(id, fixtures);
    fixtures.cases[name] = one;
  }
}

/** Creates the error with everything that is needed to correct the document or the system. */
function unexpected(
  { id }: Operation,
  { answer }: Ran,
  faults: readonly string[],
  exchanges: readonly Exchange[],
): string {
  const { message, remediation = '' } = (answer.body ?? {}) as Record<string, string | undefined>;
  const said =
    answer.status >= 300
      ? `${id} failed with status ${answer.status}: ${message}. ${remediation}`
      : `${id} returned a response that is not valid by the contract: ${few(faults)}\n${JSON.stringify(answer.body)}`;
  const calls = exchanges.map(
    ({ request, response }) =>
      `  ${request.method} ${request.url}: ${response.status} ${JSON.stringify(response.json ?? response.text ?? '').slice(0, 500)}`,
  );
  return [said, ...(calls.length === 0 ? [] : ['Response of the provider:', ...calls])].join('\n');
}

/** Shortens the list: a record of many possible kinds has a fault for each. */
function few(faults: readonly string[]): string {
  const more = faults.length - maxFaults;
  return [...faults.slice(0, maxFaults), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
