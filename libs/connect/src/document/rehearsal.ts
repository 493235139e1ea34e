import type { Value } from '@onefold/mapping';
import { type CompiledStep, evaluate } from '#provider-document';
import type { IntegrationHttp } from './integration-http.js';
import type { StepContext } from './paging.js';
import { keepAnswer, maxItems, type RunOptions, type StepRehearsal } from './run-steps.js';
import {
  NotSent,
  onlyReads,
  type RehearsedRequest,
  type RequestStop,
  type ShownRequest,
} from './rehearsed-request.js';
import { runStep } from './run-function.js';
import { valueOf, withInput } from './step-context.js';

/**
 * A dry run of an operation. Steps that read are run. Of the others, the requests are computed and noted. The answer of a step that was not sent is
 * null; whatever reads it is noted, because it cannot be computed before.
 */
export class Rehearsal implements RequestStop, StepRehearsal {
  readonly requests: RehearsedRequest[] = [];
  /** Steps without an answer that an expression has read since this was cleared. */
  private readonly touched = new Set<string>();
  /** Steps whose requests were not sent. */
  private readonly unsent = new Set<string>();
  private isStopped = false;

  /** Notes a request of a function, which ends there. */
  stopAt(step: string, request: ShownRequest): NotSent {
    const note = 'The function that sends it goes on with the answer.';
    this.requests.push({ step, ...request, note });
    this.isStopped = true;
    return new NotSent();
  }

  /**
   * Rehearses a step. @returns false if it only reads, and is to be run as it is @throws ApiError of an expression that fails
   */
  async rehearse(step: CompiledStep, context: StepContext, options: RunOptions): Promise<boolean> {
    this.touched.clear();
    const { http } = options;
    const { limits } = http;
    const isWanted = this.compute(
      () =>
        step.when === undefined ||
        evaluate(step.when, context, `${step.place}.when`, limits) === true,
    );
    if (isWanted === undefined) return this.leaveOut(step, context);
    if (!isWanted) {
      keepAnswer(context, step, null, null);
      return true;
    }
    const items = this.compute(() =>
      step.each === undefined ? [null] : evaluate(step.each, context, `${step.place}.each`, limits),
    );
    if (items === undefined) return this.leaveOut(step, context);
    // Without items, or with too many, the step ends before it sends anything.
    if (!Array.isArray(items) || items.length > maxItems) return false;
    const own = (item: Value) =>
      withInput(step, step.each === undefined ? context : { ...context, item }, limits);
    if (step.run === undefined && onlyReads(step)) {
      // It would read what there was before.
      if (this.unsent.size > 0) return this.leaveOut(step, context, this.unsent);
      return this.readsUnsent(step, items as Value[], own, context, http);
    }
    const answers: Value[] = [];
    for (const item of items as Value[]) {
      const answer = await this.note(step, () => own(item), context, options);
      if (answer === undefined) return true;
      answers.push(answer.value);
    }
    if (this.unsent.has(step.name)) this.forget(step, context);
    else keepAnswer(context, step, step.each === undefined ? (answers[0] ?? null) : answers, null);
    return true;
  }

  /** True, and noted, if a step that reads needs an answer that there is not. */
  private readsUnsent(
    step: CompiledStep,
    items: readonly Value[],
    own: (item: Value) => StepContext,
    context: StepContext,
    http: IntegrationHttp,
  ): boolean {
    const isKnown = items.every(
      (item) => this.compute(() => http.compose(step, own(item)) !== undefined) !== undefined,
    );
    return isKnown ? false : this.leaveOut(step, context);
  }

  /** Notes the request of a step, or runs its function as far as it reads. @returns its answer; undefined if the step was left out */
  private async note(
    step: CompiledStep,
    own: () => StepContext,
    context: StepContext,
    options: RunOptions,
  ): Promise<{ value: Value } | undefined> {
    const { http, signal, file } = options;
    this.isStopped = false;
    try {
      if (step.run === undefined) {
        const request = await http.preview(step, own(), { primary: true, file });
        if (this.touched.size > 0) return this.leftOut(step, context);
        this.requests.push({ step: step.name, ...request });
        this.unsent.add(step.name);
        return { value: null };
      }
      const given = own();
      const answer = await runStep(step, given, http, signal, { primary: true, file });
      if (this.touched.size > 0) return this.leftOut(step, context);
      const value = valueOf(step, given, answer, http.limits);
      // A function that goes on without the answer has made one up.
      if (this.isStopped) this.unsent.add(step.name);
      return { value };
    } catch (error) {
      if (this.touched.size > 0) return this.leftOut(step, context);
      if (!this.isStopped) throw error;
      this.unsent.add(step.name);
      return { value: null };
    }
  }

  /** Computes something; undefined if that needs the answer of a step that was not sent. */
  private compute<T>(work: () => T): T | undefined {
    try {
      const value = work();
      return this.touched.size > 0 ? undefined : value;
    } catch (error) {
      if (this.touched.size > 0) return undefined;
      throw error;
    }
  }

  private leftOut(step: CompiledStep, context: StepContext): undefined {
    this.leaveOut(step, context);
  }

  /** Notes that a step needs answers. @returns true */
  private leaveOut(
    step: CompiledStep,
    context: StepContext,
    without: ReadonlySet<string> = this.touched,
  ): true {
    const needs = [...without];
    this.touched.clear();
    const { method, name } = step;
    this.requests.push({ step: name, ...(step.run === undefined ? { method } : {}), needs });
    this.forget(step, context);
    return true;
  }

  /** Keeps that a step has no answer, and notices who reads it. */
  private forget({ name }: CompiledStep, context: StepContext): void {
    const get = () => {
      this.touched.add(name);
      return null;
    };
    for (const answers of [context.steps, context.answers])
      if (answers !== undefined)
        Object.defineProperty(answers, name, { get, enumerable: true, configurable: true });
  }
}
