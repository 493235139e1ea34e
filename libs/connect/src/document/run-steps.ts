import { ApiError, type CallAborts } from '#contract';
import type { Value } from '@onefold/mapping';
import {
  type CompiledOperation,
  type CompiledStep,
  evaluate,
  evaluateTemplate,
  textOf,
} from '#provider-document';
import { sleep } from '#egress';
import type { ProviderResponse, SentResponse, UploadedFile } from '#provider-http';
import { mapConcurrently } from './map-concurrently.js';
import type { IntegrationHttp } from './integration-http.js';
import type { PagePosition } from './page-position.js';
import { answerInput, type StepContext } from './paging.js';
import type { Problems } from '../problems.js';
import type { PausedSteps } from '../provider.js';
import { Refusals } from './refusals.js';
import { addCutProblem, type PageBudget, type PagedStep, readStepPages } from './step-pages.js';
import { runStep } from './run-function.js';
import { checkAll, checkResponse, valueOf, withInput } from './step-context.js';

/** Limits the provider calls that one call of ours can cause. */
export const maxItems = 1_000;

/** Wait after the first call of a poll. Later waits double up to that of the document: much work is done soon. */
const firstPollMs = 250;

/** The time for polling is over before the provider has finished. The results of the steps so far are kept. */
export class PollPending extends Error {
  constructor(
    readonly step: number,
    readonly steps: Record<string, Value>,
    readonly answers: Record<string, Value> | undefined,
  ) {
    super('the provider has not finished yet');
    this.name = 'PollPending';
  }
}

export interface RunOptions {
  http: IntegrationHttp;
  /** Epoch milliseconds until which polling may go on. */
  pollUntil: number;
  now: () => number;
  signal: CallAborts;
  /** Informational problems of the response. */
  problems: Problems;
  /** Results of steps that an earlier call has run. */
  resume?: PausedSteps | undefined;
  page?: PagePosition | undefined;
  /** The file of the upload. */
  file?: UploadedFile | undefined;
  /** The answer of a step that an earlier call has run. */
  known?: { step: string; value: Value } | undefined;
  /** Set for a dry run. */
  rehearsal?: StepRehearsal | undefined;
}

/** A dry run of steps. */
export interface StepRehearsal {
  /** @returns false if the step only reads, and is to be run as it is */
  rehearse(step: CompiledStep, context: StepContext, options: RunOptions): Promise<boolean>;
}

/** The result of running the steps of an operation. */
export interface StepsResult {
  context: StepContext;
  /** The response of the step that is paged. */
  pageAnswer: ProviderResponse | undefined;
  /** Parts that the provider refused, so that the rows are without them. */
  refusals: Refusals;
  /** The last response, if it is a file that is passed on. */
  file: SentResponse | undefined;
}

/** Runs the steps of an operation in order. @throws ApiError, PollPending */
export async function runSteps(
  operation: CompiledOperation,
  input: Record<string, Value>,
  options: RunOptions,
): Promise<StepsResult> {
  const { page, resume, rehearsal } = options;
  const steps: Record<string, Value> = { ...resume?.steps };
  const context: StepContext = Object.assign({ steps }, input);
  if (operation.readsAnswers) context.answers = { ...resume?.answers };
  if (page !== undefined) context['page'] = page;
  checkAll(operation, context, options.http);
  const budget: PageBudget = { pages: 0, problems: options.problems };
  const refusals = new Refusals(operation, options.http, options.problems);
  let pageAnswer: ProviderResponse | undefined;
  let file: SentResponse | undefined;
  for (const [index, step] of operation.steps.entries()) {
    if (step.atEnd || (resume !== undefined && index < resume.step)) continue;
    if (rehearsal !== undefined && (await rehearsal.rehearse(step, context, options))) continue;
    if (step.name === options.known?.step) {
      keepAnswer(context, step, options.known.value, { status: 200, headers: {} });
      continue;
    }
    if (
      step.when !== undefined &&
      evaluate(step.when, context, `${step.place}.when`, options.http.limits) !== true
    ) {
      keepAnswer(context, step, null, null);
      continue;
    }
    if (step.each !== undefined) {
      const isDone = await refusals.orLeaveOut(step, context, async () => {
        await runEach(step, context, options, budget, refusals);
        return true;
      });
      if (isDone === undefined) keepAnswer(context, step, [], []);
      continue;
    }
    const own = withInput(step, context, options.http.limits);
    if (step.page !== undefined) {
      const paged = { ...step, page: step.page };
      const rows = await refusals.orLeaveOut(step, context, () =>
        readPages(paged, own, options, budget, true, refusals.isTolerated(step)),
      );
      keepAnswer(context, step, rows ?? null, null);
      continue;
    }
    const isPaged = operation.pagedStep === index;
    const url = isPaged ? page?.url : undefined;
    const answer = await refusals.orLeaveOut(step, context, async () => {
      const isTolerated = refusals.isTolerated(step);
      const pending = () => new PollPending(index, { ...steps }, context.answers);
      const sent = step.poll
        ? await poll(step, own, options, pending)
        : await runStep(step, own, options.http, options.signal, {
            url,
            primary: true,
            file: options.file,
            ...(isTolerated && { isTolerated }),
          });
      if (step.checks.length > 0)
        await disposeOnError(sent, () => checkResponse(step, own, sent, options.http));
      noteCut(step, own, sent, options);
      return sent;
    });
    if (answer === undefined) {
      keepAnswer(context, step, null, null);
      if (isPaged) pageAnswer = refusals.answer;
      continue;
    }
    if (step.answer === 'stream') file = answer;
    keepAnswer(context, step, valueOf(step, own, answer, options.http.limits), headOf(answer));
    if (isPaged) pageAnswer = answer;
  }
  refusals.finish();
  return { context, pageAnswer, file, refusals };
}

/** Keeps what a step has got for the expressions behind it: its body, and status and headers if they are read. */
export function keepAnswer(
  context: StepContext,
  { name }: CompiledStep,
  body: Value,
  head: Value,
): void {
  context.steps[name] = body;
  if (context.answers !== undefined) context.answers[name] = head;
}

function headOf({ status, headers }: ProviderResponse): Record<string, Value> {
  return { status, headers };
}

/** Runs the steps for the end of a list, with the steps of its last page. */
export async function runEndSteps(
  operation: CompiledOperation,
  context: StepContext,
  { http, signal }: Pick<RunOptions, 'http' | 'signal'>,
): Promise<void> {
  for (const step of operation.steps) {
    if (!step.atEnd) continue;
    const { when, place } = step;
    if (when !== undefined && evaluate(when, context, `${place}.when`, http.limits) !== true)
      continue;
    const own = withInput(step, context, http.limits);
    const answer = await runStep(step, own, http, signal, { primary: false });
    checkResponse(step, own, answer, http);
  }
}

/** Ends the stream of a response if the work fails, because then nobody reads it. */
export async function disposeOnError<T>({ stream }: SentResponse, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    await stream?.return?.();
    throw error;
  }
}

async function runEach(
  step: CompiledStep,
  context: StepContext,
  options: RunOptions,
  budget: PageBudget,
  refusals: Refusals,
): Promise<void> {
  const { http, signal } = options;
  const { page } = step;
  const items = step.each && evaluate(step.each, context, `${step.place}.each`, http.limits);
  if (!Array.isArray(items)) {
    if (items === null || items === undefined) return keepAnswer(context, step, [], []);
    throw new ApiError(
      502,
      `the provider document failed at ${step.place}.each: the value is not a list`,
      {},
    );
  }
  if (items.length > maxItems)
    throw new ApiError(
      502,
      `the provider document failed at ${step.place}.each: the list has ${items.length} items, and ${maxItems} are allowed`,
      { remediation: 'Read fewer rows at once: page.size, or a filter.' },
    );
  const endReserve = step.run === undefined ? await http.reserve(step, items.length) : undefined;
  const orNull = refusals.ofItems(step, items.length);
  const isTolerated = refusals.isTolerated(step);
  const answers = await mapConcurrently(items as Value[], step.concurrency, (item) =>
    orNull(item, async () => {
      const own = withInput(step, { ...context, item }, http.limits);
      if (page !== undefined) {
        const value = await readPages({ ...step, page }, own, options, budget, false, isTolerated);
        return { value, head: null };
      }
      const answer = await runStep(step, own, http, signal, { primary: false, isTolerated });
      checkResponse(step, own, answer, http);
      noteCut(step, own, answer, options);
      return { value: valueOf(step, own, answer, http.limits), head: headOf(answer) };
    }),
  ).finally(endReserve);
  const values = answers.map((one) => one?.value ?? null);
  const heads = answers.map((one) => one?.head ?? null);
  keepAnswer(context, step, values, heads);
}

/** Adds the problem that a list was cut, if the document says so of the answer. */
function noteCut(
  step: CompiledStep,
  context: StepContext,
  answer: ProviderResponse,
  { http, problems }: RunOptions,
): void {
  if (step.cut === undefined) return;
  const input = answerInput(context, answer);
  if (evaluate(step.cut, input, `${step.place}.cut`, http.limits) === true)
    addCutProblem(problems, step, 'the provider gives no more of it');
}

async function readPages(
  step: PagedStep,
  context: StepContext,
  { http, signal }: RunOptions,
  budget: PageBudget,
  primary: boolean,
  isTolerated: boolean,
): Promise<Value> {
  return await readStepPages(step, context, budget, http.limits, async (own, url) => {
    const answer = await runStep(step, own, http, signal, { url, primary, isTolerated });
    checkResponse(step, own, answer, http);
    return answer;
  });
}

async function poll(
  step: CompiledStep,
  context: StepContext,
  { http, pollUntil, now, signal }: RunOptions,
  pending: () => PollPending,
): Promise<ProviderResponse> {
  const { until, failed, everyMs } = step.poll as NonNullable<CompiledStep['poll']>;
  for (let waitMs = firstPollMs; ; waitMs *= 2) {
    const answer = await http.call(step, context, { primary: true });
    const input = answerInput(context, answer);
    if (evaluate(until, input, `${step.place}.poll.until`, http.limits) === true) return answer;
    if (failed && evaluate(failed, input, `${step.place}.poll.failed`, http.limits) === true)
      throw new ApiError(502, 'the provider reports that its work has failed', {
        remediation: 'context.raw_error has the response of the provider.',
        context: { raw_error: http.shown(answer.text).slice(0, 2000) },
      });
    const ms = Math.min(waitMs, everyMs);
    if (now() + ms > pollUntil) throw pending();
    await sleep(ms, signal);
  }
}

/** Evaluates the name and type of the file that an operation returns. */
export function evaluateFileName(
  operation: CompiledOperation,
  context: StepContext,
  answer: SentResponse,
  http: IntegrationHttp,
): Value {
  if (operation.file === undefined) return null;
  return evaluate(
    operation.file,
    answerInput(context, answer),
    `${operation.place}.file`,
    http.limits,
  );
}

/** Evaluates the path parameters of the operation that reads the written record. */
export function thenPath(
  operation: CompiledOperation,
  context: StepContext,
  http: IntegrationHttp,
): Record<string, string> | undefined {
  const path = operation.then?.path;
  if (path === undefined) return undefined;
  const made = evaluateTemplate(path, context, `${operation.place}.then.path`, http.limits);
  return Object.fromEntries(
    Object.entries((made ?? {}) as Record<string, Value>).map(([name, value]) => [
      name,
      textOf(value) ?? '',
    ]),
  );
}
