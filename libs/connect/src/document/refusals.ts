import { ApiError } from '#contract';
import type { Value } from '@onefold/mapping';
import {
  type CompiledOperation,
  type CompiledStep,
  evaluate,
  UnusablePathValue,
} from '#provider-document';
import { ProviderRefusal, type ProviderResponse } from '#provider-http';
import type { Problems } from '../problems.js';
import { recordIdOf } from '../records/record-id.js';
import type { IntegrationHttp } from './integration-http.js';
import type { StepContext } from './paging.js';

/** The customer may not read something, or has not licensed it: documents say 501 where the provider's words tell that. */
const deniedStatuses = new Set([401, 402, 403, 501]);
const unknownStatuses = new Set([404, 410]);
const maxItemLength = 100;

/**
 * Lets a list go on without a part of it that the provider refuses, and names the part in the problems of the response: an item of `each`
 * that the provider does not know or show, one of several steps that fill the rows, and a step that the document calls optional. A list
 * of which nothing is left is the error of its first refusal. A record that is read goes on without optional steps; all others are strict.
 */
export class Refusals {
  /** The first refusal; undefined if there was none. */
  first: ApiError | undefined;
  private refusedStep: { step: CompiledStep; status: number } | undefined;
  /** True if a step that fills the rows was not refused. */
  private hasRows = false;
  private needsRows = false;

  constructor(
    private readonly operation: CompiledOperation,
    private readonly http: IntegrationHttp,
    private readonly problems: Problems,
  ) {}

  private get isList(): boolean {
    return this.operation.action === 'query' && this.operation.rows !== undefined;
  }

  private get paged(): CompiledStep | undefined {
    const { pagedStep, steps } = this.operation;
    return pagedStep === undefined ? undefined : steps[pagedStep];
  }

  /** True if nothing is left of the page. */
  get isEmpty(): boolean {
    if (this.refusedStep === undefined) return false;
    return this.paged === undefined ? !this.hasRows : this.refusedStep.step === this.paged;
  }

  /** The response that a page sees in place of one that was refused; undefined where its rows have to tell how the list goes on. */
  get answer(): ProviderResponse | undefined {
    const { kind = '' } = this.operation.page?.source ?? {};
    if (!['token', 'link'].includes(kind)) return undefined;
    return { status: this.refusedStep?.status ?? 0, headers: {}, body: null, text: '' };
  }

  /** True if a refusal of the step, or of one of its items, may not end the list. */
  isTolerated(step: CompiledStep): boolean {
    const { optional, each } = step;
    if (optional !== undefined) return this.isList || this.operation.action === 'read';
    return this.isList && (each !== undefined || this.isFiller(step));
  }

  /** The page of a refused step would not say where the list goes on, so a paged step has to be optional instead. */
  private isFiller(step: CompiledStep): boolean {
    if (!step.fillsRows || step === this.paged) return false;
    return this.operation.steps.some((other) => other.fillsRows && other !== step);
  }

  /** Runs a step; undefined if the list goes on without it. @throws ApiError */
  async orLeaveOut<T>(
    step: CompiledStep,
    context: StepContext,
    run: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const result = await run();
      if (step.fillsRows) this.hasRows = true;
      return result;
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || !this.isTolerated(step)) throw error;
      const isDenied = deniedStatuses.has(status);
      const { optional, place } = step;
      const limits = this.http.limits;
      const isOptional =
        optional !== undefined &&
        evaluate(optional, { ...context, status }, `${place}.optional`, limits) === true;
      if (!isOptional && !(isDenied && this.isFiller(step))) throw this.report(error as ApiError);
      if (!isOptional) this.needsRows = true;
      this.refusedStep = { step, status };
      this.leaveOut(error as ApiError, 'part-left-out', ({ request }) =>
        request === undefined ? `the step ${step.name}` : `what ${request} returns`,
      );
      return undefined;
    }
  }

  /** Returns a function that runs the step for an item; the result of one that is left out is null. */
  ofItems(
    step: CompiledStep,
    count: number,
  ): <T>(item: Value, run: () => Promise<T>) => Promise<T | null> {
    // Where the first are all denied, so are the rest: the credential lacks a permission.
    const maxDenied = Math.min(step.concurrency, count);
    let denied = 0;
    let shown = 0;
    return async (item, run) => {
      try {
        const result = await run();
        shown += 1;
        return result;
      } catch (error) {
        const status = statusOf(error);
        if (status === undefined || !this.isList) throw error;
        if (deniedStatuses.has(status) && shown === 0 && (denied += 1) >= maxDenied) throw error;
        this.leaveOut(error as ApiError, 'item-left-out', () => describeItem(step, item));
        return null;
      }
    };
  }

  /** Ends the steps of a page. @throws ApiError if no step is left that fills the rows */
  finish(): void {
    if (this.needsRows && !this.hasRows && this.first !== undefined) throw this.report(this.first);
  }

  /** Evaluates what reads the steps; an expression that cannot do without what was left out fails as the provider did. */
  read<T>(evaluateRows: () => T): T {
    try {
      return evaluateRows();
    } catch (error) {
      throw this.first === undefined ? error : this.report(this.first);
    }
  }

  private leaveOut(
    error: ApiError,
    instance: string,
    name: (details: Record<string, string>) => string,
  ): void {
    this.first ??= error;
    const { context, remediation } = error.options;
    const { raw_error: _raw, ...shown } = context ?? {};
    this.problems.add({
      message: this.http.shown(
        `${name(context?.provider_details ?? {})} was left out: ${error.message}`,
      ),
      ...(remediation === undefined ? {} : { remediation }),
      instance,
      ...(context && { context: shown }),
    });
  }

  /** Notes in the integration's state what a tolerated call did not note. */
  report(error: ApiError): ApiError {
    if (error instanceof ProviderRefusal) this.http.reportStatus(error.providerStatus);
    return error;
  }
}

/** The status by which the provider refuses; undefined for what fails otherwise. Checks of documents refuse by a status of ours. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // The provider cannot have what no address names.
  if (error instanceof UnusablePathValue) return 404;
  const status = error instanceof ProviderRefusal ? error.providerStatus : error.status;
  const isFinal = deniedStatuses.has(status) || unknownStatuses.has(status);
  return isFinal ? status : undefined;
}

function describeItem({ name }: CompiledStep, item: Value): string {
  const id = recordIdOf(item);
  return id === undefined ? `an item of ${name}` : `${id.slice(0, maxItemLength)} of ${name}`;
}
