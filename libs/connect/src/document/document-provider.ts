import { ApiError, badRequest } from '#contract';
import { formatJson, type Value } from '#mapping';
import {
  type CompiledOperation,
  type CompiledProvider,
  type CompiledVerification,
  describeOperation,
  describeProvider,
  evaluate,
  textOf,
} from '#provider-document';
import type { UploadedFile } from '#provider-http';
import type { Filter } from '#query';
import { MappingRunError } from '#mapping';
import type { Mapping, MappingContext, Native } from '../native.js';
import type {
  ListPages,
  MappedRequest,
  Outcome,
  Provider,
  ProviderCall,
  ProviderOperation,
} from '../provider.js';
import { answeredFile } from './answered-file.js';
import { type HttpCall, IntegrationHttp } from './integration-http.js';
import {
  firstPage,
  nameOf,
  orLetGo,
  outcomeOf,
  type PagePosition,
  pathThen,
  PollPending,
  runSteps,
  type StepContext,
} from './run-operation.js';

/** Where a list that is read in pages goes on. */
interface Position {
  page?: PagePosition;
  resume?: { step: number; steps: Record<string, Value> };
}

/** Makes a provider out of its compiled document. */
export function documentProvider(compiled: CompiledProvider): Provider {
  return {
    ...describeProvider(compiled),
    operations: Object.fromEntries(
      [...compiled.operations].map(([id, operation]) => [id, operationOf(compiled, operation)]),
    ),
    ...(compiled.verify.length === 0 ? {} : { verify: (call: HttpCall) => verify(compiled, call) }),
  };
}

function operationOf(compiled: CompiledProvider, operation: CompiledOperation): ProviderOperation {
  return {
    ...describeOperation(operation),
    ...(operation.response === undefined ? {} : { response: mappingOf(operation.response) }),
    ...(operation.request === undefined ? {} : { request: mappingOf(operation.request) }),
    ...(operation.current === undefined
      ? {}
      : { current: (call) => new DocumentRun(compiled, operation, call).readCurrent() }),
    run: (call, request) => new DocumentRun(compiled, operation, call, request).run(),
  };
}

function mappingOf(document: NonNullable<CompiledOperation['response']>): Mapping {
  return (record, { config, path, limits }: MappingContext) => {
    try {
      return document.run(record, {
        metadata: { config, path },
        ...(limits === undefined ? {} : { limits }),
      })?.record;
    } catch (cause) {
      if (!(cause instanceof MappingRunError)) throw cause;
      throw new ApiError(502, `the mapping default:0 failed: ${cause.message}`, {
        remediation: 'The provider sent something that its mapping does not expect.',
        cause,
      });
    }
  };
}

/** One run of an operation by its document. */
class DocumentRun {
  private readonly http: IntegrationHttp;

  constructor(
    private readonly compiled: CompiledProvider,
    private readonly operation: CompiledOperation,
    private readonly call: ProviderCall,
    private readonly request: MappedRequest = {},
  ) {
    this.http = new IntegrationHttp(compiled, call, operation);
  }

  async run(): Promise<Outcome> {
    const { operation, call } = this;
    const { file } = this.request;
    if (operation.rows !== undefined) return { pages: this.pages() };
    const input = this.input();
    const { context, handedOn } = await this.finished(operation, input);
    if (handedOn !== undefined) {
      const named = await orLetGo(handedOn, () => nameOf(operation, context, handedOn));
      return { file: answeredFile(handedOn, named) };
    }
    if (file?.complete === false) throw this.leftFile(file);
    if (operation.then === undefined) return this.recordOf(operation, context, call.path);
    const reader = this.compiled.reads.get(operation.then.operation) as CompiledOperation;
    const path = pathThen(operation, context) ?? call.path;
    const read = await this.finished(reader, { ...input, path, body: null });
    return this.recordOf(reader, read.context, path);
  }

  /** Reads the record that a patch changes, by the operation that the document names for it. */
  async readCurrent(): Promise<Native> {
    const reader = this.compiled.reads.get(this.operation.current ?? '') as CompiledOperation;
    const { context } = await this.finished(reader, this.commonInput());
    const outcome = this.recordOf(reader, context, this.call.path);
    return 'record' in outcome ? outcome.record : {};
  }

  private leftFile({ begun }: UploadedFile): ApiError {
    const { compiled, operation } = this;
    return new ApiError(
      502,
      begun
        ? `${compiled.source.fullname} answers before it has the whole file`
        : `the provider document failed at ${operation.place}: no step sends the file`,
      { remediation: 'List the folder to see what is there.' },
    );
  }

  private recordOf(
    operation: CompiledOperation,
    context: StepContext,
    path: Readonly<Record<string, string>>,
  ): Outcome {
    if (operation.record === undefined) return { none: true };
    const record = outcomeOf(operation, 'record', context);
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw new ApiError(404, `${this.compiled.source.fullname} has no such record`, {
        remediation: 'List the records to see which exist.',
        context: { provider_details: path },
      });
    return { record: record as Native };
  }

  private pages(): ListPages {
    const { operation, call } = this;
    return {
      size: operation.page?.source.size,
      read: async (position, limit) => {
        const at = position as Position | undefined;
        const page = at?.page ?? firstPage(operation, limit);
        try {
          const { context, next } = await runSteps(operation, this.input(limit), {
            ...this.options(),
            ...(page === undefined ? {} : { page }),
            resume: at?.resume,
          });
          const rows = outcomeOf(operation, 'rows', context);
          return {
            rows: Array.isArray(rows) ? (rows as Native[]) : this.noList(rows),
            next: next && { page: next },
          };
        } catch (error) {
          if (!(error instanceof PollPending)) throw error;
          const { step, steps } = error;
          return {
            rows: [],
            next: { ...(page ? { page } : {}), resume: { step, steps } },
            waits: true,
          };
        }
      },
      path: call.path,
    };
  }

  private noList(rows: Value): Native[] {
    if (rows === undefined || rows === null) return [];
    throw new ApiError(
      502,
      `the provider document failed at ${this.operation.place}.rows: it is no list`,
      {
        context: { raw_error: this.http.shown(formatJson(rows)).slice(0, 500) },
      },
    );
  }

  private async finished(operation: CompiledOperation, input: Record<string, Value>) {
    try {
      return await runSteps(operation, input, this.options());
    } catch (error) {
      if (!(error instanceof PollPending)) throw error;
      throw new ApiError(504, `${this.compiled.source.fullname} is not done yet`, {
        remediation: 'Try again later: what was begun at the provider goes on.',
        cause: error,
      });
    }
  }

  private options() {
    const { call, http } = this;
    return {
      file: this.request.file,
      http,
      pollUntil: call.pollUntil,
      now: () => call.clock.now(),
      signal: call.signal,
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

  private input(limit?: number): Record<string, Value> {
    const { call, operation } = this;
    const { body, change, file } = this.request;
    const common = this.commonInput();
    if (operation.action === 'query')
      return {
        ...common,
        limit: limit ?? null,
        filters: call.list.filters.map(filterValue),
        orders: call.list.orders.map(({ field, direction }) => ({ field, direction })),
      };
    if (change !== undefined)
      return {
        ...common,
        current: change.current,
        body: change.after,
        changes: changesBetween(change.before, change.after),
      };
    if (file !== undefined) {
      const { filename, type, size = null } = file;
      return { ...common, file: { filename, type, size } };
    }
    return body === undefined ? common : { ...common, body };
  }
}

function filterValue({ field, operator, values }: Filter): Value {
  return { field, operator, values: [...values], value: values[0] ?? null };
}

/** What differs, in the provider's shape; null where a field was removed. */
function changesBetween(before: Native, after: Native): Value {
  const changed = Object.entries(after).filter(
    ([key, value]) =>
      !Object.hasOwn(before, key) ||
      JSON.stringify(value, exact) !== JSON.stringify(before[key], exact),
  );
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return Object.fromEntries<Value>([...changed, ...removed.map((key) => [key, null] as const)]);
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Tries a configuration. @throws ApiError for the first call that fails, naming the permission it needs */
async function verify(
  compiled: CompiledProvider,
  call: Parameters<NonNullable<Provider['verify']>>[0],
): Promise<void> {
  const http = new IntegrationHttp(compiled, call);
  for (const one of compiled.verify) {
    const answer = await http
      .call(one, {}, { primary: true, needs: one.needs })
      .catch((error: unknown) => {
        throw notFoundInConfiguration(compiled, one, error);
      });
    const input: Value = {
      config: http.config(),
      status: answer.status,
      headers: { ...answer.headers },
      body: answer.body,
    };
    if (!one.passes || evaluate(one.passes, input, `${one.place}.passes`) === true) continue;
    const words = one.message && textOf(evaluate(one.message, input, `${one.place}.message`));
    throw badRequest({
      location: 'body',
      pointer: '/provider_config',
      message: words
        ? `${compiled.source.fullname} answers, but ${words}`
        : `${compiled.source.fullname} answers, but shows nothing that needs the permission "${one.needs}"`,
      remediation: words
        ? 'Correct provider_config, or change it at the provider.'
        : `Grant the permission "${one.needs}" at the provider to the owner of the credential.`,
    });
  }
}

/** Providers answer 404 for what one may not see as for what there is not: both are faults of the configuration. */
function notFoundInConfiguration(
  { source }: CompiledProvider,
  { needs }: CompiledVerification,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || error.status !== 404) return error;
  const { context } = error.options;
  return badRequest(
    {
      location: 'body',
      pointer: '/provider_config',
      message: `${source.fullname} does not find what it names, or does not show it to the owner of the credential`,
      remediation: `Correct provider_config, or grant the permission "${needs}" at the provider.`,
    },
    { ...(context === undefined ? {} : { context }), cause: error },
  );
}
