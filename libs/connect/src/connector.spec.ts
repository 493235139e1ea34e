import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { Budgets } from '@onefold/mapping';
import { run } from './connector.fixture.js';
import type { Mapping } from './provider-record.js';
import { type MappedRequest, type ProviderOperation, RecordChanged } from './provider.js';

describe('an operation', () => {
  beforeAll(() => loadValidators());

  it('is resolved, its request mapped, the provider called, and the response mapped, in this order', async () => {
    let sent: MappedRequest | undefined;
    const { result, steps } = await run(
      'ticketing_create_ticket',
      {
        action: 'create',
        request: ({ name }) => ({ title: name }),
        response: ({ title }) => ({ id: '1', name: title }),
        run: (_call, request) => {
          sent = request;
          return Promise.resolve({ record: { ...request.body } });
        },
      },
      { body: { name: 'Disk full' } },
    );
    expect(steps).toEqual(['resolve', 'map the request', 'call the provider', 'map the response']);
    expect(sent).toEqual({ body: { title: 'Disk full' } });
    expect(result).toEqual({ result: { id: '1', name: 'Disk full' } });
  });

  it('does not reach the provider when its request cannot be mapped', async () => {
    let called = 0;
    const failing = run(
      'ticketing_create_ticket',
      {
        action: 'create',
        request: () => {
          throw new Error('cannot be mapped');
        },
        run: () => {
          called += 1;
          return Promise.resolve({ none: true });
        },
      },
      { body: {} },
    );
    await expect(failing).rejects.toThrow('cannot be mapped');
    expect(called).toBe(0);
  });

  it('has the record of the provider as text where the caller asks for it', async () => {
    const offered: Omit<ProviderOperation, 'resource'> = {
      action: 'query',
      response: () => ({ uid: 'u-1' }),
      run: () => Promise.resolve({ all: [{ id: 7n }] }),
    };
    for (const [wanted, result] of [
      [true, { uid: 'u-1', raw_data: '{"id":7}' }],
      [false, { uid: 'u-1' }],
    ]) {
      const query = { include_raw_data: wanted };
      const answer = await run('identity_query_audit_log', offered, { query });
      expect(answer.result).toMatchObject({ result: [result] });
    }
  });

  it('may have a result that is not a record', async () => {
    const { result, steps } = await run(
      'endpointmanagement_lock_device',
      { action: 'create', run: () => Promise.resolve({ value: 'remoteLock' }) },
      { body: { device_id: '1' } },
    );
    expect(result).toEqual({ result: 'remoteLock' });
    expect(steps).not.toContain('map the response');
  });

  it('closes the file of an upload, also when the provider fails', async () => {
    let close = () => {};
    const closed = new Promise<void>((done) => (close = done));
    async function* body() {
      try {
        for (let count = 0; count < 100; count += 1) yield Buffer.alloc(65_536);
      } finally {
        close();
      }
    }
    const failing = run(
      'storage_upload_file',
      {
        action: 'create',
        run: async (_call, { file }) => {
          await file?.chunks().next();
          throw new Error('the provider failed');
        },
      },
      { upload: { contentType: 'application/octet-stream', body: body() } },
    );
    await expect(failing).rejects.toThrow('the provider failed');
    await closed;
  });
});

describe('a patch', () => {
  beforeAll(() => loadValidators());
  const body = [{ op: 'add', path: '/tags/-', value: 'mine' }];
  const response: Mapping = (record) => ({
    id: '1',
    name: 'n',
    summary: 's',
    tags: record['labels'],
  });
  const request: Mapping = ({ tags }) => ({ labels: tags });

  it('reads the record before it is mapped, and calls the provider with both states of it', async () => {
    let sent: MappedRequest | undefined;
    await run(
      'ticketing_patch_ticket',
      {
        action: 'patch',
        request,
        response,
        current: () => Promise.resolve({ labels: ['a'], internal: true }),
        run: (_call, mapped) => {
          sent = mapped;
          return Promise.resolve({ record: { ...mapped.change?.after } });
        },
      },
      { body },
    );
    expect(sent?.change).toEqual({
      current: { labels: ['a'], internal: true },
      before: { labels: ['a'] },
      after: { labels: ['a', 'mine'] },
    });
  });

  it('is computed again when its record has changed since it was read', async () => {
    let stored = ['a'];
    const { result } = await run(
      'ticketing_patch_ticket',
      {
        action: 'patch',
        request,
        response,
        current: () => Promise.resolve({ labels: stored }),
        run: (_call, { change }) => {
          if (stored.length === 1) {
            stored = ['a', 'theirs'];
            return Promise.reject(new RecordChanged());
          }
          return Promise.resolve({ record: { ...change?.after } });
        },
      },
      { body },
    );
    expect(result).toMatchObject({ result: { tags: ['a', 'theirs', 'mine'] } });
  });

  it('ends with 503 when its record never stops changing', async () => {
    const failing = run(
      'ticketing_patch_ticket',
      {
        action: 'patch',
        request,
        response,
        current: () => Promise.resolve({ labels: [] }),
        run: () => Promise.reject(new RecordChanged()),
      },
      { body },
    );
    await expect(failing).rejects.toMatchObject({ status: 503 });
  });

  it('gives a provider the budget of the integration, for what its document evaluates', async () => {
    let steps: number | undefined;
    const operation: Parameters<typeof run>[1] = {
      action: 'query',
      run: ({ limits }) => {
        steps = limits?.fuel;
        return Promise.resolve({ records: [] });
      },
    };
    await run('custom_query', operation, {}, { budgets: new Budgets(['int_1:10', 'acc_1:50']) });
    expect(steps).toBe(500_000);
    await run('custom_query', operation, {}, { budgets: new Budgets(['int_2:10']) });
    expect(steps).toBeUndefined();
  });

  it.each([
    ['ends after 60 s when the provider does not poll', undefined, 60_000],
    ['has the whole time of the request when it does', true, 300_000],
  ])('"polling budget": one that may poll %s', async (_what, polls, expectedMs) => {
    const begun = Date.now();
    let found = { deadline: 0, pollUntil: 0 };
    await run(
      'custom_query',
      {
        action: 'query',
        ...(polls ? { polls } : {}),
        run: ({ deadline, pollUntil }) => {
          found = { deadline, pollUntil };
          return Promise.resolve({ records: [] });
        },
      },
      { deadline: begun + 300_000 },
    );
    expect(found.deadline - begun).toBeGreaterThanOrEqual(expectedMs);
    expect(found.deadline - begun).toBeLessThan(expectedMs + 5_000);
    // "Default polling budget: about 275 seconds, capped by context deadline."
    expect(found.pollUntil - begun).toBeGreaterThan(polls ? 270_000 : 50_000);
    expect(found.pollUntil).toBeLessThan(found.deadline);
  });
});
