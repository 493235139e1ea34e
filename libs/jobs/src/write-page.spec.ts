import { describe, expect, it } from '@jest/globals';
import { type Bus, type Envelope } from '#bus';
import { ApiError } from '#contract';
import type { Integration } from '#store';
import type { PageFailed } from './page-failed.js';
import { readShrinking } from './read-shrinking.js';
import { writePage } from './write-page.js';

/** A sink that takes so many bytes at once. */
function sinkOf(maxBytes: number) {
  const stored = new Map<string, unknown[]>();
  const bus = {
    request: (_subject: string, { batchId = '' }: Envelope, body: Uint8Array) => {
      if (body.length > maxBytes) {
        const context = { provider_details: { provider: 'sink', request: 'POST', status: '413' } };
        const error = new ApiError(502, 'the sink answers 413', { context });
        const problem = Buffer.from(JSON.stringify(error.toProblem('/requests/1', new Date(0))));
        return Promise.resolve({ status: 502, headers: {}, body: problem });
      }
      stored.set(batchId, JSON.parse(Buffer.from(body).toString()) as unknown[]);
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{"result":[]}') });
    },
  } as unknown as Bus;
  const integration = { organizationId: 'org_1', accountId: 'acc_1', id: 'int_1' } as Integration;
  const sink = { operation: 'sink_post_events' as const, integration };
  return { bus, stored, sink: { ...sink, integration: { ...integration, category: 'sink' } } };
}

const rows = Array.from({ length: 10 }, (_, id) => ({ id, text: 'x'.repeat(50) }));
const run = { id: 'exe_1', page: 3, requestId: null };

describe('a page', () => {
  it('is one batch where the sink takes it', async () => {
    const { bus, sink, stored } = sinkOf(10_000);
    const { bytes } = await writePage(bus, sink, run, rows);
    expect(Object.fromEntries(stored)).toEqual({ 'exe_1-3': rows });
    expect(bytes).toBe(JSON.stringify(rows).length);
  });

  it('that is too large is cut in halves, with the same ids when it comes again', async () => {
    const { bus, sink, stored } = sinkOf(300);
    await writePage(bus, sink, run, rows);
    expect([...stored.values()].flat()).toEqual(rows);
    const ids = [...stored.keys()];
    expect(ids).toEqual(['exe_1-3.1.1', 'exe_1-3.1.2', 'exe_1-3.2.1', 'exe_1-3.2.2']);
    await writePage(bus, sink, run, rows);
    expect([...stored.keys()]).toEqual(ids);
  });

  it('with a record that is too large by itself fails for good, and names record and setting', async () => {
    const { bus, sink } = sinkOf(300);
    const large = { id: 10, text: 'x'.repeat(400) };
    const failure = await writePage(bus, sink, run, [...rows, large]).catch(
      (error: unknown) => error as PageFailed,
    );
    expect(failure).toMatchObject({
      isFinal: true,
      message: expect.stringMatching(
        /^writing page 3 to the sink: record 10 of the page is too large .* \(\d+ bytes\), so a lower JOB_PAGE_RECORDS/,
      ),
    });
  });
});

describe('a page that the provider sends too many bytes for', () => {
  const tooLarge = new ApiError(502, 'sends too much', { kind: 'response-too-large' });
  const reading = (maxRecords: number) => {
    const sizes: number[] = [];
    const read = (records: number) => {
      sizes.push(records);
      return records > maxRecords ? Promise.reject(tooLarge) : Promise.resolve(records);
    };
    return { sizes, read };
  };

  it('is read with half the records until it fits', async () => {
    const { sizes, read } = reading(100);
    expect(await readShrinking(read, 500)).toBe(62);
    expect(sizes).toEqual([500, 250, 125, 62]);
  });

  it('fails where one record is too large, and other failures are not tried with less', async () => {
    await expect(readShrinking(reading(0).read, 4)).rejects.toBe(tooLarge);
    const sizes: number[] = [];
    const other = new ApiError(503, 'away');
    const read = (records: number) => {
      sizes.push(records);
      return Promise.reject(other);
    };
    await expect(readShrinking(read, 4)).rejects.toBe(other);
    expect(sizes).toEqual([4]);
  });
});
