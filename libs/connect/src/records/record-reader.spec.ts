import { describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { compileProvider } from '#provider-document';
import { run } from '../connector.fixture.js';
import { documentProvider } from '../document/document-provider.js';
import type { OperationResult } from '../map-response.js';
import { RecordChecks } from './record-checks.js';
import type { ProviderRecord } from '../provider-record.js';

const document = `
provider: custom_reads
version: 1.0.0
fullname: Reads
vendor: Tests
http: { base_url: '"http://127.0.0.1"' }
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.key
        root.name = this.title.uppercase()
        root.summary = this.title
        root.priority = this.priority
        root.due_date = this.due
        root.created_at = "2026-01-01T00:00:00Z"
        root.updated_at = "2026-01-01T00:00:00Z"
operations:
  ticketing_query_tickets: { response: ticket, steps: [{ path: /tickets }], rows: this.steps.call }
`;
const tickets = documentProvider(compileProvider(document)).operations.ticketing_query_tickets;
const row = (key: string, more: object = {}): ProviderRecord => ({ key, title: key, ...more });

interface Result extends OperationResult {
  result: ProviderRecord[];
  /** States of the integration that the call reported, each with its reason. */
  states: (string | undefined)[][];
}

/** Lists these rows of a provider in pages of this size. */
async function list(
  rows: readonly ProviderRecord[],
  query: object = {},
  {
    strict = false,
    id = 'ticketing_query_tickets',
    size = 100,
  }: { strict?: boolean; id?: OperationId; size?: number } = {},
): Promise<Result> {
  const { result, usage } = await run(
    id,
    {
      action: 'query',
      ...(tickets?.response && { response: tickets.response }),
      run: () => {
        const read = (position: unknown, limit: number) => {
          const from = (position as number | undefined) ?? 0;
          const next = from + Math.min(limit, size);
          return Promise.resolve({
            rows: rows.slice(from, next),
            next: next < rows.length ? next : undefined,
          });
        };
        return Promise.resolve({ pages: { size, read, path: {} } });
      },
    },
    { query },
    { checks: new RecordChecks({ strict }) },
  );
  const states = usage.take().states.map(({ status, error }) => [status, error]);
  return { ...(result as Result), states };
}

const keys = ({ result }: Result) => result.map(({ id }) => id).join('');
const messages = ({ messages: found }: Result) =>
  found?.problems.map(({ message }) => message) ?? [];

describe('a record of a list that its mapping refuses', () => {
  const rows = [row('a'), row('b'), row('c', { title: null }), row('d'), row('e')];

  it('is left out and named, with the line of the mapping', async () => {
    const answer = await list(rows);
    expect(keys(answer)).toBe('abde');
    expect(answer.messages?.problems).toMatchObject([
      {
        message: expect.stringMatching(
          /^record 3 \(id c\) was left out: the mapping default:0 failed: custom_reads:14:21 in template default, root.name: expected string, got null/,
        ),
        instance: 'record-left-out',
        status: 200,
        context: { provider_details: { record: '3', record_id: 'c', mapping: 'default:0' } },
      },
    ]);
  });

  it('shows in the status of the integration until a list leaves none out', async () => {
    expect((await list(rows)).states).toEqual([
      [
        'failing',
        expect.stringMatching(/^1 of 5 records of ticketing_query_tickets were left out: /),
      ],
    ]);
    const fitted = await list([row('a', { priority: 'P1' })]);
    expect(fitted.states).toEqual([['healthy', undefined]]);
  });

  it('does not keep the cursor from going on', async () => {
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const answer = await list(rows, { limit: 1, ...(cursor && { cursor }) });
      seen.push(...answer.result.map(({ id }) => id));
      cursor = answer.cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(['a', 'b', 'd', 'e']);
  });

  it('is left out of lists that are filtered, ordered or counted here', async () => {
    const filtered = await list(rows, { filter: ['name[neq]A'], order: ['name[desc]'] });
    expect(keys(filtered)).toBe('edb');
    expect(messages(filtered)).toHaveLength(1);
  });

  it('is named by the first page of a list that is ordered here', async () => {
    const query = { order: ['name[desc]'], limit: 3 };
    const first = await list(rows, query);
    expect([keys(first), messages(first).length]).toEqual(['edb', 1]);
    const second = await list(rows, { ...query, cursor: first.cursor });
    expect([keys(second), messages(second)]).toEqual(['a', []]);
  });

  it('is in its problem as the provider sent it, where raw data is wanted', async () => {
    const mapped = { id: 'vulnerabilities_query_findings' as OperationId };
    const { result, messages: found } = await list(
      [row('c', { title: null })],
      { include_raw_data: true },
      mapped,
    );
    expect(result).toEqual([]);
    expect(JSON.parse(found?.problems[0]?.context?.raw_error ?? '')).toMatchObject({ key: 'c' });
  });

  it('is counted beyond twenty', async () => {
    const answer = await list(Array.from({ length: 50 }, () => row('x', { title: null })));
    expect(answer.result).toEqual([]);
    expect(messages(answer)).toHaveLength(21);
    expect(messages(answer).at(-1)).toBe('30 more problems were left out');
  });
});

describe('a record of a list that does not fit the contract', () => {
  it('has what does not fit in unmapped, and is named', async () => {
    const answer = await list([row('a'), row('b', { priority: 'P1', due: '01/02/2026' })]);
    expect(answer.result[1]).toMatchObject({
      id: 'b',
      unmapped: { priority: 'P1', due_date: '01/02/2026' },
    });
    expect(answer.result[1]).not.toHaveProperty('priority');
    expect(messages(answer)).toEqual([
      expect.stringContaining(
        '/priority of record 2 (id b) is in unmapped instead: it must be one',
      ),
      expect.stringContaining('/due_date of record 2 (id b) is in unmapped instead: it must be a'),
    ]);
    expect(answer.messages?.problems.map(({ context }) => context?.provider_details)).toMatchObject(
      [
        { line: 'custom_reads:16:25 in template default, root.priority', value: '"P1"' },
        { line: 'custom_reads:17:25 in template default, root.due_date' },
      ],
    );
  });

  it('is named only where the response has it', async () => {
    const rows = [row('a'), row('b', { priority: 'P1' })];
    expect(messages(await list(rows, { filter: ['name[eq]A'] }))).toEqual([]);
    expect(messages(await list(rows, { limit: 1 }))).toEqual([]);
    expect(messages(await list(rows, { filter: ['name[eq]B'] }))).toHaveLength(1);
  });

  it('is left out without an id', async () => {
    const answer = await list([row(''), row('b')]);
    expect(keys(answer)).toBe('b');
    expect(messages(answer)[0]).toBe(
      'record 1 was left out: the mapping default:0 failed: the field /id of ticketing_query_tickets is empty (custom_reads:13:19 in template default, root.id)',
    );
  });

  it('is an error that names all such records where checks are strict', async () => {
    const rows = [row('a'), row('b', { priority: 'P1' }), row('c', { title: null })];
    await expect(list(rows, {}, { strict: true })).rejects.toMatchObject({
      status: 502,
      message: expect.stringMatching(/\/priority .* in record 2 \(id b\), record 3 \(id c\)$/),
    });
  });
});

describe('a single record that does not fit the contract', () => {
  const single = async (action: 'read' | 'create', record: ProviderRecord) =>
    (
      await run(
        action === 'read' ? 'ticketing_get_ticket' : 'ticketing_create_ticket',
        {
          action,
          ...(tickets?.response && { response: tickets.response }),
          run: () => Promise.resolve({ record }),
        },
        action === 'read' ? {} : { body: { name: 'a' } },
        { checks: new RecordChecks() },
      )
    ).result as OperationResult;

  it('is an error of a read without a field that must be there, which names mapping and field', async () => {
    await expect(single('read', row('', { priority: 'P1' }))).rejects.toMatchObject({
      status: 502,
      message:
        'the mapping default:0 failed: the field /id of ticketing_get_ticket is empty (custom_reads:13:19 in template default, root.id)',
    });
    await expect(single('read', row('a', { title: null }))).rejects.toMatchObject({ status: 502 });
  });

  it.each(['read', 'create'] as const)('is fitted otherwise by a %s', async (action) => {
    const { result, messages: found } = await single(action, row('a', { priority: 'P1' }));
    expect(result).toMatchObject({ id: 'a', unmapped: { priority: 'P1' } });
    expect(found?.problems[0]?.message).toContain('/priority of the record (id a) is in unmapped');
  });
});
