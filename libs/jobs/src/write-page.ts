import type { Bus } from '#bus';
import { formatJson, type Value } from '@onefold/mapping';
import { callIntegration } from './call-integration.js';
import type { Sink } from './find-sink.js';
import { PageFailed } from './page-failed.js';
import { isTooLarge, textOf } from './retry.js';
import type { Run } from './run-row.js';

/** Cost of writing a page. */
export interface Written {
  /** Milliseconds. */
  cpuTime: number;
  bytes: number;
}

/** Consecutive records of a page. */
interface Part {
  rows: readonly Value[];
  batchId: string;
  /** The place of the first in the page. */
  first: number;
}

/** Outcome of a record, of sinks that tell it. */
interface Outcome {
  index?: number;
  stored?: boolean;
  status?: number;
  message?: string;
  error?: { message?: string };
}

/**
 * Writes a page to the sink with the batch id `<execution>-<page>`. A page that is too large for the sink is written in halves, whose ids
 * end with `.1` and `.2`, so a page that comes again is cut in the same way.
 * @throws PageFailed, a final one if the sink cannot take a record by itself
 */
export async function writePage(
  bus: Bus,
  sink: Sink,
  { id, page, requestId }: Pick<Run, 'id' | 'page' | 'requestId'>,
  rows: readonly Value[],
): Promise<Written> {
  const written: Written = { cpuTime: 0, bytes: 0 };
  const batchId = `${id}-${page}`;
  const failed = (why: string, isFinal: boolean, cause?: unknown) =>
    new PageFailed('writing', `writing page ${page} to the sink: ${why}`, isFinal, cause);

  const write = async (part: Part): Promise<void> => {
    const begun = performance.now();
    const body = Buffer.from(formatJson(part.rows as Value[]));
    written.cpuTime += performance.now() - begun;
    const request = { operation: sink.operation, body, batchId: part.batchId, requestId };
    try {
      const reply = await callIntegration(bus, sink.integration, id, request);
      checkOutcomes(JSON.parse(Buffer.from(reply).toString()) as { result?: Outcome[] }, part);
      written.bytes += body.length;
    } catch (error) {
      if (error instanceof PageFailed) throw failed(error.message, error.isFinal);
      if (!isTooLarge(error)) throw failed(textOf(error), false, error);
      if (part.rows.length === 1) throw failed(tooLarge(part.first, body.length), true, error);
      const half = part.rows.length >> 1;
      for (const [n, from, to] of [
        [1, 0, half],
        [2, half, part.rows.length],
      ] as const)
        await write({
          rows: part.rows.slice(from, to),
          batchId: `${part.batchId}.${n}`,
          first: part.first + from,
        });
    }
  };

  if (rows.length > 0) await write({ rows, batchId, first: 0 });
  return written;
}

/** @throws PageFailed if the sink refused some of the records */
function checkOutcomes({ result = [] }: { result?: Outcome[] }, { rows, first }: Part): void {
  const refused = result.filter((one) => one.stored === false);
  const [one] = refused;
  if (one === undefined) return;
  const large = refused.find(({ status }) => status === 413);
  if (large !== undefined) {
    const at = large.index ?? 0;
    throw new PageFailed('writing', tooLarge(first + at, sizeOf(rows[at])), true, undefined);
  }
  const why = one.error?.message ?? one.message ?? '';
  throw new PageFailed(
    'writing',
    `${refused.length} of ${rows.length} records were refused: ${why}`,
    false,
    undefined,
  );
}

function sizeOf(row?: Value): number {
  return row === undefined ? 0 : Buffer.byteLength(formatJson(row));
}

function tooLarge(record: number, bytes: number): string {
  return (
    `record ${record} of the page is too large for it by itself (${bytes} bytes), so a lower JOB_PAGE_RECORDS does not help. ` +
    'Raise the limit of the sink, or leave the record out by a filter'
  );
}
