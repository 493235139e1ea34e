import { StreamReply } from '#contract';
import { chainOf, mapAnswer, mappingFailed } from './chains.js';
import type { Lists, Row } from './lists.js';
import type { Outcome } from './provider.js';
import type { OperationRun } from './operation-run.js';

/** The answer of every connector operation that has one. */
export interface Answer {
  result: unknown;
  cursor?: string;
  meta?: object;
  messages?: object;
}

/** Maps what the provider gave to our shape, with what the meta functions ask for. */
export async function mapResponse(
  run: OperationRun,
  outcome: Outcome,
  lists: Lists,
): Promise<Answer | StreamReply | undefined> {
  if ('none' in outcome) return undefined;
  if ('file' in outcome)
    return new StreamReply(200, { ...outcome.file.headers }, outcome.file.content);
  const { operation, integration, offered, meta, usage, context } = run;
  // What was written is shown as the provider has it; a chain of a write shapes what is sent.
  const writes = offered.action === 'create' || offered.action === 'patch';
  const chain = chainOf(integration, operation.id);
  meta.applied(
    operation.id,
    chain.map(({ reference }) => reference),
  );
  const shown = writes ? [{ reference: 'default:0' }] : chain;
  const { additionalMappings } = integration;
  const map = ({ native, record }: Row) => {
    try {
      const mapped = mapAnswer(native, shown, offered, additionalMappings, context, record);
      return mapped && run.raw ? { ...mapped, raw_data: native } : mapped;
    } catch (error) {
      if (error instanceof Error) throw error;
      throw mappingFailed(shown.map(({ reference }) => reference).join(', '), String(error), error);
    }
  };
  if ('record' in outcome) {
    const result = usage.work(() => map({ native: outcome.record }));
    if (result === undefined)
      throw mappingFailed(
        shown.map(({ reference }) => reference).join(', '),
        'it drops the record that was asked for',
      );
    if (meta.wantsCounts) meta.count(result);
    return withMeta(run, { result });
  }
  const { rows, cursor } = await lists.page(run, outcome);
  const result = usage.work(() => rows.map(map).filter((record) => record !== undefined));
  return withMeta(run, cursor === undefined ? { result } : { result, cursor });
}

function withMeta(run: OperationRun, answer: Answer): Answer {
  const { meta, offered, capped } = run;
  const rendered = meta.render();
  return {
    ...answer,
    ...(rendered === undefined ? {} : { meta: rendered }),
    ...(capped && offered.polls ? { messages: { problems: [pollCapped(run)] } } : {}),
  };
}

/** "`request/poll_timeout` exceeds the context deadline: success with an informational problem entry" (specification, errors). */
function pollCapped({ call: { deadline }, clock }: OperationRun): object {
  return {
    message: 'the poll timeout is longer than the request may take',
    detail: `The provider was asked until the deadline of the request, ${new Date(deadline).toISOString()}.`,
    status: 200,
    instance: 'poll-timeout-capped',
    occurred_at: new Date(clock.now()).toISOString(),
  };
}
