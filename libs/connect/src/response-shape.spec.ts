import { describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { run } from './connector.fixture.js';
import type { ProviderRecord } from './provider-record.js';
import type { ProviderOperation, ProviderPage } from './provider.js';

const device = (uid: string, os: string, ips: string[] = []): ProviderRecord => ({
  metadata: { uid },
  device: { uid, os: { name: os }, ip_addresses: ips },
});

/** A list of the provider, in pages. */
function list(pages: ProviderPage[], more: Partial<ProviderOperation> = {}) {
  return {
    action: 'query' as const,
    ...more,
    run: () =>
      Promise.resolve({
        pages: {
          size: 2,
          path: {},
          read: (position: unknown) =>
            Promise.resolve(pages[(position as number | undefined) ?? 0] as ProviderPage),
        },
      }),
  };
}

describe('a response', () => {
  it.each([
    ['assets_create_asset', { device: { a: 1 } }],
    ['assets_create_software', { software_inventory: { a: 1 } }],
    ['assets_create_devices', { a: 1 }],
    ['vulnerabilities_update_asset', { a: 1 }],
    ['vulnerabilities_upload_scan', { result: { a: 1 } }],
  ] as [OperationId, object][])(
    'of %s has the record where the contract has it',
    async (id, body) => {
      const { result } = await run(
        id,
        { action: 'create', run: () => Promise.resolve({ record: { a: 1 } }) },
        { body: {} },
      );
      expect(result).toEqual(body);
    },
  );

  it('says PENDING with a cursor while the provider has not finished, then COMPLETE', async () => {
    const pages = [
      { rows: [], next: 1, waits: true },
      { rows: [device('a', 'Windows')], next: undefined },
    ];
    const first = await run('vulnerabilities_query_assets', list(pages));
    expect(first.result).toMatchObject({ result: [], status: 'PENDING' });
    const { cursor } = first.result as { cursor: string };
    const { result } = await run('vulnerabilities_query_assets', list(pages), {
      query: { cursor },
    });
    expect(result).toEqual({ result: [device('a', 'Windows')], cursor: '', status: 'COMPLETE' });
  });

  it('of a list that takes no cursor has an empty one where the contract has it', async () => {
    const pages = [{ rows: [{ value: 'site' }], next: undefined }];
    const { result } = await run('assets_get_labels', list(pages));
    expect(result).toEqual({ result: [{ value: 'site' }], cursor: '' });
  });

  it('of an operation without a status has none', async () => {
    const { result } = await run('assets_query_devices', list([{ rows: [], next: undefined }]));
    expect(result).toEqual({ result: [], cursor: '' });
  });
});

describe('a list of records whose fields are in each other', () => {
  const rows = [
    device('a', 'Windows', ['10.0.0.1', '10.0.0.2']),
    device('b', 'macOS', ['10.0.0.3']),
    device('c', 'Windows'),
  ];
  const offered = list([{ rows, next: undefined }], {
    fields: {
      'device.os.name': { type: 'string' },
      'device.ip_addresses': { type: 'list', orders: false },
    },
  });
  const uidsOf = (result: unknown) =>
    (result as { result: { device: { uid: string } }[] }).result.map(({ device }) => device.uid);

  it('is filtered and ordered by them', async () => {
    const windows = await run('assets_query_devices', offered, {
      query: { filter: ['device.os.name[eq]Windows'] },
    });
    expect(uidsOf(windows.result)).toEqual(['a', 'c']);
    const address = await run('assets_query_devices', offered, {
      query: { filter: ['device.ip_addresses[eq]10.0.0.2'] },
    });
    expect(uidsOf(address.result)).toEqual(['a']);
    const ordered = await run('assets_query_devices', offered, {
      query: { order: 'device.os.name[desc]' },
    });
    expect(uidsOf(ordered.result)[0]).toBe('b');
  });

  it('has every row exactly once, although rows are equal in what they are ordered by', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = { order: 'device.os.name', limit: 1, cursor };
      const { result } = await run('assets_query_devices', offered, { query });
      seen.push(...uidsOf(result));
      ({ cursor } = result as { cursor: string });
    } while (cursor !== '');
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
  });
});
