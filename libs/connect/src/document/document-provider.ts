import { ApiError, badRequest, type OperationId, operations } from '#contract';
import type { Value } from '@onefold/mapping';
import {
  type CompiledOperation,
  type CompiledProvider,
  type CompiledWebhooks,
  describeOperation,
  describeProvider,
  lazyObject,
} from '#provider-document';
import { otherVersion, type UploadedFile } from '#provider-http';
import { MappingRunError } from '@onefold/mapping';
import { MappingFailed } from '../records/mapping-failed.js';
import type { Mapping, MappingContext, ProviderRecord } from '../provider-record.js';
import {
  type ListPages,
  type MappedRequest,
  type PausedSteps,
  type ProviderResult,
  type Provider,
  type ProviderCall,
  type ProviderOperation,
  type ProviderWebhooks,
  RecordChanged,
} from '../provider.js';
import { documentWebhooks } from './provider-webhooks.js';
import { responseFile } from './response-file.js';
import type { HttpCall } from './http-call.js';
import { changesBetween, filterValue } from './operation-input.js';
import { IntegrationHttp } from './integration-http.js';
import { verifyConfiguration } from './verify-configuration.js';
import {
  evaluateFileName,
  disposeOnError,
  thenPath,
  PollPending,
  runEndSteps,
  type RunOptions,
  runSteps,
} from './run-steps.js';
import { findCreated } from './find-created.js';
import { Rehearsal } from './rehearsal.js';
import { evaluateRecord, evaluateRows, evaluateValue, noteProblems } from './evaluate-result.js';
import { continueList, firstPage, samePage, type StepContext } from './paging.js';
import type { PagePosition } from './page-position.js';

/** Position of a paged list. */
interface Position {
  page?: PagePosition;
  resume?: PausedSteps;
}

/** Makes a provider out of its compiled document. */
export function documentProvider(compiled: CompiledProvider): Provider {
  return {
    ...describeProvider(compiled),
    operations: lazyObject(compiled.operations, (operation) => operationOf(compiled, operation)),
    ...(compiled.verify.length === 0
      ? {}
      : { verify: (call: HttpCall) => verifyConfiguration(compiled, call) }),
    ...(compiled.webhooks && { webhooks: webhooksOf(compiled, compiled.webhooks) }),
  };
}

function webhooksOf(compiled: CompiledProvider, webhooks: CompiledWebhooks): ProviderWebhooks {
  const { register, inspect, unregister } = webhooks;
  return documentWebhooks(webhooks, {
    ...(register && { register: operationOf(compiled, register) }),
    ...(inspect && { inspect: operationOf(compiled, inspect) }),
    ...(unregister && { unregister: operationOf(compiled, unregister) }),
  });
}

function operationOf(compiled: CompiledProvider, operation: CompiledOperation): ProviderOperation {
  return {
    ...describeOperation(operation),
    ...(operation.response === undefined ? {} : { response: mappingFunction(operation.response) }),
    ...(operation.request === undefined
      ? {}
      : { request: refusing(mappingFunction(operation.request)) }),
    ...(operation.current === undefined
      ? {}
      : { current: (call) => new DocumentRun(compiled, operation, call).readCurrent() }),
    run: (call, request) => new DocumentRun(compiled, operation, call, request).run(),
    rehearse: async (call, request) => {
      const rehearsal = new Rehearsal();
      await new DocumentRun(compiled, operation, call, request, rehearsal).rehearse(rehearsal);
      return rehearsal.requests;
    },
  };
}

/** A mapping of requests that throws refuses the request: what the caller sent cannot be written. */
function refusing(mapping: Mapping): Mapping {
  return (record, context) => {
    try {
      return mapping(record, context);
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      if (!(cause instanceof MappingRunError) || cause.thrown === undefined) throw error;
      throw badRequest({ location: 'body', pointer: '', message: cause.thrown }, { cause });
    }
  };
}

function mappingFunction(document: NonNullable<CompiledOperation['response']>): Mapping {
  const map = (record: ProviderRecord, { config, path, before, limits }: MappingContext) => {
    try {
      return document.run(record, {
        metadata: { config, path, ...(before && { before }) },
        ...(limits === undefined ? {} : { limits }),
      })?.record;
    } catch (cause) {
      if (!(cause instanceof MappingRunError)) throw cause;
      throw new MappingFailed('default:0', cause.message, {
        remediation: 'The provider sent something that its mapping does not expect.',
        cause,
      });
    }
  };
  return Object.assign(map, {
    locateField: (path: readonly string[]) => document.locateField(path),
  });
}

/** The provider has another version of the record than the one that a condition of the request, such as If-Match, names. */
function isOtherVersion(error: unknown): boolean {
  return error instanceof ApiError && error.options.kind === otherVersion;
}

function pausedSteps({ step, steps, answers }: PollPending): PausedSteps {
  return { step, steps, ...(answers && { answers }) };
}

/** One run of an operation by its document. */
class DocumentRun {
  private readonly http: IntegrationHttp;

  constructor(
    private readonly compiled: CompiledProvider,
    private readonly operation: CompiledOperation,
    private readonly call: ProviderCall,
    private readonly request: MappedRequest = {},
    rehearsal?: Rehearsal,
  ) {
    this.http = new IntegrationHttp(compiled, call, operation, rehearsal);
  }

  /** @throws RecordChanged when the provider says that the record of a patch has another version by now */
  async run(): Promise<ProviderResult> {
    try {
      return await this.perform();
    } catch (error) {
      if (this.request.change !== undefined && isOtherVersion(error))
        throw new RecordChanged({ cause: error });
      throw error;
    }
  }

  /** Notes the requests of the operation, and sends those that only read. @throws ApiError */
  async rehearse(rehearsal: Rehearsal): Promise<void> {
    await runSteps(this.operation, this.input(), this.options({ rehearsal }));
  }

  private async perform(): Promise<ProviderResult> {
    const { operation, call } = this;
    const { file } = this.request;
    if (operation.action === 'query') return { pages: this.pages() };
    const input = this.input();
    const known = call.write?.isUnsettled
      ? await findCreated(operation, input, call, this.options())
      : undefined;
    const finished = await this.finishedOrPaused(input, known);
    if (finished instanceof PollPending) {
      return { paused: pausedSteps(finished) };
    }
    const { context, file: sent } = finished;
    if (sent !== undefined) {
      const named = await disposeOnError(sent, () =>
        evaluateFileName(operation, context, sent, this.http),
      );
      return { file: responseFile(sent, named) };
    }
    if (file?.complete === false) throw this.leftFile(file);
    noteProblems(operation, context, this.http, call.problems);
    if (operation.rows !== undefined)
      return { records: evaluateRows(operation, context, this.http, call.problems, false) };
    if (operation.then === undefined) return this.recordOf(operation, context);
    const reader = this.compiled.reads.get(operation.then.operation) as CompiledOperation;
    const path = thenPath(operation, context, this.http) ?? call.path;
    const read = await this.finished(reader, { ...input, path, body: null });
    return this.recordOf(reader, read.context);
  }

  /** Reads the record that a patch changes, by the operation that the document names for it. */
  async readCurrent(): Promise<ProviderRecord> {
    const reader = this.compiled.reads.get(this.operation.current ?? '') as CompiledOperation;
    const { context } = await this.finished(reader, this.commonInput());
    return evaluateRecord(reader, context, this.http);
  }

  private leftFile({ begun }: UploadedFile): ApiError {
    const { compiled, operation } = this;
    return new ApiError(
      502,
      begun
        ? `${compiled.source.fullname} responded before it had the whole file`
        : `the provider document failed at ${operation.place}: no step sends the file`,
      { remediation: 'List the folder to see what is there.' },
    );
  }

  private recordOf(operation: CompiledOperation, context: StepContext): ProviderResult {
    if (operation.result !== undefined)
      return { value: evaluateValue(operation, context, this.http) };
    if (operation.record === undefined) return { none: true };
    return { record: evaluateRecord(operation, context, this.http) };
  }

  private pages(): ListPages {
    const { operation, call } = this;
    const endsList = operation.steps.some(({ atEnd }) => atEnd);
    /** True for pages that were read, and for rows in one of them: a list of which nothing can be read is an error. */
    const seen = { first: false, rows: false };
    return {
      size: operation.page?.source.size,
      maxPages: operation.page?.source.max_pages,
      read: async (position, limit) => {
        const at = position as Position | undefined;
        const input = this.input(limit);
        const { limits } = this.http;
        const page =
          at?.page ?? (operation.page && firstPage(operation.page, limit, input, limits));
        try {
          const options = this.options({ page, resume: at?.resume });
          const { context, pageAnswer, refusals } = await runSteps(operation, input, options);
          const hasGaps = refusals.first !== undefined;
          const found = refusals.read(() =>
            evaluateRows(operation, context, this.http, call.problems, hasGaps),
          );
          noteProblems(operation, context, this.http, call.problems);
          seen.first ||= at === undefined;
          seen.rows ||= !refusals.isEmpty;
          const checkSeen = (next: unknown) => {
            const isEnd = next === undefined && seen.first && !seen.rows;
            if (isEnd && refusals.first !== undefined) throw refusals.report(refusals.first);
          };
          const end = endsList ? () => runEndSteps(operation, context, this.options()) : undefined;
          if (operation.page === undefined || page === undefined || pageAnswer === undefined) {
            checkSeen(undefined);
            return { rows: found, next: undefined, ...(end && { end }) };
          }
          const { page: paging } = operation;
          const read = { page: paging, context, answer: pageAnswer, position: page, limits };
          const { rows, next, after } = continueList(read, found);
          checkSeen(next);
          const again = samePage(read);
          return {
            rows,
            next: next && { page: next },
            ...(again ? { at: { page: again } } : {}),
            ...(after ? { after: (index: number) => ({ page: after(index) }) } : {}),
            ...(end && { end }),
          };
        } catch (error) {
          if (!(error instanceof PollPending)) throw error;
          return {
            rows: [],
            next: { ...(page ? { page } : {}), resume: pausedSteps(error) },
            waits: true,
          };
        }
      },
      path: call.path,
    };
  }

  /** Runs the steps. A response that has a status can say that the provider has not finished; others fail then. */
  private async finishedOrPaused(input: Record<string, Value>, known: RunOptions['known']) {
    const { operation, request } = this;
    const { progress = false } = operations.get(operation.id as OperationId)?.response ?? {};
    if (!progress) return await this.finished(operation, input, known);
    try {
      return await runSteps(operation, input, this.options({ resume: request.paused }));
    } catch (error) {
      if (error instanceof PollPending) return error;
      throw error;
    }
  }

  private async finished(
    operation: CompiledOperation,
    input: Record<string, Value>,
    known?: RunOptions['known'],
  ) {
    try {
      return await runSteps(operation, input, this.options({ known }));
    } catch (error) {
      if (!(error instanceof PollPending)) throw error;
      throw new ApiError(504, `${this.compiled.source.fullname} has not finished yet`, {
        remediation: 'Try again later: the work at the provider continues.',
        cause: error,
      });
    }
  }

  private options(
    more: Pick<RunOptions, 'known' | 'page' | 'rehearsal' | 'resume'> = {},
  ): RunOptions {
    const { call, http } = this;
    const { known, page, rehearsal, resume } = more;
    return {
      file: this.request.file,
      http,
      pollUntil: call.pollUntil,
      now: () => call.clock.now(),
      signal: call.signal,
      problems: call.problems,
      known,
      page,
      rehearsal,
      resume,
    };
  }

  /** The fields of `this` that expressions of every operation can read, beside the steps. */
  private commonInput(): Record<string, Value> {
    const { call } = this;
    return {
      config: this.http.config(),
      path: call.path,
      query: call.query,
      now: new Date(call.clock.now()).toISOString(),
    };
  }

  /** Returns what the provider calls a field. */
  private nameOf(field: string): string {
    return this.operation.source.fields?.[field]?.name ?? field;
  }

  private input(limit?: number): Record<string, Value> {
    const { call, operation } = this;
    const { body, change, file } = this.request;
    const common = this.commonInput();
    if (operation.action === 'query')
      return Object.assign(common, {
        limit: limit ?? null,
        filters: call.list.filters.map((filter) => filterValue(filter, this.nameOf(filter.field))),
        orders: call.list.orders.map(({ field, direction }) => ({
          field,
          direction,
          name: this.nameOf(field),
        })),
      });
    if (change !== undefined)
      return Object.assign(common, {
        current: change.current,
        body: change.after,
        changes: changesBetween(change.before, change.after),
      });
    if (file !== undefined) {
      const { filename, type, size = null } = file;
      return Object.assign(common, { file: { filename, type, size } });
    }
    return body === undefined
      ? common
      : Object.assign(common, {
          body,
          batch_id: call.jobBatchId ?? null,
          marker: call.write?.marker ?? null,
          since: call.write?.since.toISOString() ?? common['now'] ?? null,
        });
  }
}
