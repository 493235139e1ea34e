import { describe, expect, it } from '@jest/globals';
import { Redactor } from '#provider-http';
import { run } from '../connector.fixture.js';
import type { OperationResult } from '../map-response.js';
import { MappingTrace } from './mapping-trace.js';
import type { Mapping, ProviderRecord } from '../provider-record.js';
import type { ProviderCall, ProviderOperation } from '../provider.js';

const document = (assignments: string) =>
  `engine: bloblang_direct\nversion: '1.0'\ntemplates:\n  default: |\n    root = this\n    ${assignments}\n`;
const shout = document('root.name = this.name.uppercase()');
const dropDone = document('root = if this.name == "DONE" { deleted() }');
const mine = (...documents: string[]) => ({
  chains: [
    {
      operationIds: ['ticketing_query_tickets', 'ticketing_create_ticket'],
      mappings: [
        { reference: 'default:0' },
        ...documents.map((data, index) => ({ reference: `mine${index}:3`, data })),
      ],
    },
  ],
});
const records = [
  { key: '1', title: 'vpn' },
  { key: '2', title: 'done' },
  { key: '3', title: 'mail' },
];
const toOurs: Mapping = ({ key, title }) => ({ id: key, name: title });
const list: Omit<ProviderOperation, 'resource'> = {
  action: 'query',
  response: toOurs,
  run: () => Promise.resolve({ records }),
};

async function traceOf(
  meta: readonly string[],
  offered = list,
  { own = mine(shout, dropDone), body, query, id = 'ticketing_query_tickets' }: Wanted = {},
) {
  const request = { meta, ...(body && { body }), ...(query && { query }) };
  const { result } = await run(id, offered, request, own);
  const { mapping } = (result as OperationResult).meta as { mapping: { trace: object } };
  return (mapping.trace as Record<string, unknown[]>)[id];
}

interface Wanted {
  own?: object;
  body?: object;
  query?: object;
  id?: 'ticketing_query_tickets' | 'ticketing_create_ticket';
}

describe('the trace of mappings', () => {
  it('shows the first records before the first mapping and behind each, also one that is dropped', async () => {
    expect(await traceOf(['mapping/trace(2)'])).toEqual([
      {
        direction: 'response',
        input: records[0],
        steps: [
          { mapping: 'default:0', dropped: false, output: { id: '1', name: 'vpn' } },
          { mapping: 'mine0:3', dropped: false, output: { id: '1', name: 'VPN' } },
          { mapping: 'mine1:3', dropped: false, output: { id: '1', name: 'VPN' } },
        ],
      },
      {
        direction: 'response',
        input: records[1],
        steps: [
          { mapping: 'default:0', dropped: false, output: { id: '2', name: 'done' } },
          { mapping: 'mine0:3', dropped: false, output: { id: '2', name: 'DONE' } },
          { mapping: 'mine1:3', dropped: true },
        ],
      },
    ]);
  });

  it('is about the records that filters choose', async () => {
    const filtered = { ...list, fields: { name: { type: 'string' } } } as typeof list;
    const traced = await traceOf(['mapping/trace(10)'], filtered, {
      query: { filter: ['name[eq]MAIL'] },
    });
    expect(traced).toEqual([expect.objectContaining({ input: records[2] })]);
  });

  it('has the additional mappings of the integration as its last step', async () => {
    const additional = { resource: 'tickets', actions: ['query'], source: 'key', literal: false };
    const own = {
      additionalMappings: [{ ...additional, destination: 'custom_fields.key', dataType: 'string' }],
    };
    expect(await traceOf(['mapping/trace'], list, { own })).toEqual([
      expect.objectContaining({
        steps: [
          { mapping: 'default:0', dropped: false, output: { id: '1', name: 'vpn' } },
          {
            mapping: 'additional_mappings',
            dropped: false,
            output: { id: '1', name: 'vpn', custom_fields: { key: '1' } },
          },
        ],
      }),
    ]);
  });

  it('of a new record shows the way to the provider and back', async () => {
    const create: Omit<ProviderOperation, 'resource'> = {
      action: 'create',
      request: ({ name }) => ({ title: name }),
      response: toOurs,
      run: (_call, { body }) => Promise.resolve({ record: { key: '4', ...body } }),
    };
    const traced = await traceOf(['mapping/trace(1)'], create, {
      id: 'ticketing_create_ticket',
      own: mine(shout),
      body: { name: 'desk' },
    });
    expect(traced).toEqual([
      {
        direction: 'request',
        input: { name: 'desk' },
        steps: [
          { mapping: 'mine0:3', dropped: false, output: { name: 'DESK' } },
          { mapping: 'default:0', dropped: false, output: { title: 'DESK' } },
        ],
      },
      {
        direction: 'response',
        input: { key: '4', title: 'DESK' },
        steps: [{ mapping: 'default:0', dropped: false, output: { id: '4', name: 'DESK' } }],
      },
    ]);
  });

  it('masks the secrets that the call has used, wherever a record repeats them', async () => {
    const echo = {
      ...list,
      run: ({ redactor }: ProviderCall) => {
        redactor.add('482914');
        const title = 'as 482914 says';
        return Promise.resolve({ records: [{ key: 1, title, deep: [{ '482914': 482914 }] }] });
      },
    };
    const text = JSON.stringify(await traceOf(['mapping/trace(1)'], echo, { own: {} }));
    expect(text).not.toContain('482914');
    expect(text).toContain('"deep":[{"[secret]":"[secret]"}]');
    expect(text).toContain('as [secret] says');
  });

  it('is bounded: values beyond a megabyte are left out, and it says so', async () => {
    const large = { ...list, run: () => Promise.resolve({ records: [huge, huge] }) };
    const huge = { key: '1', title: 'x'.repeat(400_000) };
    expect(await traceOf(['mapping/trace(2)'], large, { own: {} })).toEqual([
      expect.objectContaining({
        input: huge,
        steps: [expect.objectContaining({ dropped: false })],
      }),
      {
        direction: 'response',
        truncated: true,
        steps: [{ mapping: 'default:0', dropped: false, truncated: true }],
      },
    ]);
  });

  it('lets the mapping fail where the provider sends no record, as without it', async () => {
    const failing: Mapping = () => {
      throw new Error('is not a record');
    };
    const text = {
      ...list,
      response: failing,
      run: () => Promise.resolve({ records: ['a text'] as unknown as ProviderRecord[] }),
    };
    for (const meta of [[], ['mapping/trace(1)']])
      await expect(run('ticketing_query_tickets', text, { meta })).rejects.toThrow(
        'is not a record',
      );
  });

  it('is not made where nobody asks for it', async () => {
    const { result } = await run('ticketing_query_tickets', list);
    expect(result).not.toHaveProperty('meta');
  });

  it('keeps the digits of large numbers', () => {
    const trace = new MappingTrace(1);
    const record = { id: 9007199254740993n };
    trace.reads(record);
    trace.show([record]);
    expect(trace.render(new Redactor())[0]?.input).toEqual(record);
  });
});
