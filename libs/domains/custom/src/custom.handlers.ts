import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { Connector, DryRunReply, mapConcurrently, type OperationResult, Problems } from '#connect';
import {
  ApiError,
  badRequest,
  type Call,
  type OperationId,
  operations,
  type Problem,
  type Reply,
} from '#contract';

type Free = Record<string, unknown>;
type Operation = { operation: OperationId };

const maxRecords = 1_000;
const concurrency = 4;

/** `/v1/custom`: runs the operations of a provider document by name, whatever domain they belong to. */
@Controller()
export class CustomHandlers {
  constructor(private readonly connector: Connector) {}

  @Handles('custom_query')
  async query(call: Call<'custom_query'>): Promise<Reply<'custom_query'>> {
    const { operation } = call.path as Operation;
    const raw = call.query.include_raw_data ?? false;
    const answer = await this.connector.run(withRecordId(call), { as: operation, raw });
    return { cursor: '', ...answer } as Reply<'custom_query'>;
  }

  @Handles('custom_get')
  async get(call: Call<'custom_get'>): Promise<Reply<'custom_get'>> {
    const { operation } = call.path as Operation;
    const raw = call.query.include_raw_data ?? false;
    return (await this.connector.run(withRecordId(call), {
      as: operation,
      raw,
    })) as Reply<'custom_get'>;
  }

  @Handles('custom_post')
  async post(call: Call<'custom_post'>): Promise<Reply<'custom_post'>> {
    const { operation } = call.path as Operation;
    return ((await this.connector.run(withRecordId(call), { as: operation })) ?? {
      result: {},
    }) as Reply<'custom_post'>;
  }

  /** A record that fails is replaced by its problem, so that the caller also gets the created ones. */
  @Handles('custom_post_batch')
  async postBatch(call: Call<'custom_post_batch'>): Promise<Reply<'custom_post_batch'>> {
    const { operation } = call.path as Operation;
    const bodies = call.body as Free[];
    if (bodies.length > maxRecords)
      throw badRequest({
        location: 'body',
        pointer: '',
        message: `has ${bodies.length} records, at most ${maxRecords} are allowed`,
        remediation: 'Send several requests.',
      });
    const indexes = bodies.map((_body, index) => index);
    const answers = await mapConcurrently(indexes, concurrency, async (index) => {
      const { idempotencyKey: key } = call;
      const one = withParts(call, {
        path: withRecordId(call).path,
        body: bodies[index],
        rawBody: Buffer.from(JSON.stringify(bodies[index])),
        ...(key === undefined ? {} : { idempotencyKey: `${key} ${index}` }),
      });
      try {
        return (await this.connector.run(one, { as: operation })) ?? {};
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const problem = error.toProblem(`/requests/${call.requestId}`, new Date());
        return { result: { problem } };
      }
    });
    const rehearsed = answers.filter((one) => one instanceof DryRunReply);
    if (rehearsed.length > 0) return DryRunReply.join(answers.map(rehearsedOf));
    const messages = problemsOfBatch(answers);
    return {
      result: answers.map(({ result }) => (result ?? {}) as Free),
      ...(messages && { messages }),
    };
  }

  @Handles('custom_patch')
  async patch(call: Call<'custom_patch'>): Promise<Reply<'custom_patch'>> {
    const { operation } = call.path as Operation;
    return (await this.connector.run(withRecordId(call), {
      as: operation,
    })) as Reply<'custom_patch'>;
  }

  @Handles('custom_delete')
  async delete(call: Call<'custom_delete'>): Promise<Reply<'custom_delete'>> {
    const { operation } = call.path as Operation;
    const reply = await this.connector.run(withRecordId(call), { as: operation });
    return reply instanceof DryRunReply ? reply : undefined;
  }
}

/** Adds the id of the call under the parameter name of the requested operation, such as `/tickets/{ticketId}`. */
function withRecordId(call: { path: object }): Call {
  const { id, operation } = call.path as { id?: string; operation: OperationId };
  const parameters = operations.get(operation)?.path.match(/\{\w+\}/g) ?? [];
  const last = parameters.at(-1)?.slice(1, -1);
  const path = { ...call.path, ...(id && last ? { [last]: id } : {}) };
  return withParts(call, { path });
}

/** Returns the call with some parts replaced. It is not copied, because parts of a call may be computed on first use. */
function withParts(call: object, parts: object): Call {
  const own = Object.entries(parts).map(([name, value]) => [name, { value: value as unknown }]);
  return Object.create(call, Object.fromEntries(own) as PropertyDescriptorMap) as Call;
}

/** Puts the informational problems of all records together; each names its field within the batch. */
function problemsOfBatch(answers: readonly OperationResult[]): OperationResult['messages'] {
  const problems = new Problems();
  for (const [index, { messages }] of answers.entries())
    for (const problem of messages?.problems ?? [])
      problems.add(problemWithin(`/${index}`, problem));
  return problems.render(Date.now());
}

function problemWithin(element: string, { context, ...problem }: Problem): Problem {
  const { parameter } = context ?? {};
  if (parameter?.location !== 'body') return { ...problem, ...(context && { context }) };
  return {
    ...problem,
    context: { ...context, parameter: { ...parameter, id: `${element}${parameter.id}` } },
  };
}

/** Returns what a dry run found of one record of a batch: a record that fails has a problem and no request. */
function rehearsedOf(answer: OperationResult | DryRunReply): DryRunReply['found'] {
  if (answer instanceof DryRunReply) return answer.found;
  const { problem } = answer.result as { problem: Problem };
  return { requests: [], problems: [problem] };
}
