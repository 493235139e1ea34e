import { describe, expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { type Handler, run, served, serveDuringTests } from '../document/run-document.fixture.js';
import { Drift } from './drift.js';

serveDuringTests();

const operation = `
action: read
resource: records
steps:
  - { name: found, path: /found }
record: this.steps.found.record
`;

/** Runs an operation whose provider answers like this, and returns what it showed. */
async function read(handle: Handler, http = ''): Promise<unknown[]> {
  served.handle = handle;
  const drift = new Drift();
  const integration = { id: 'int_1', providerType: 'custom_runs' } as ResolvedIntegration;
  const call = drift.ofCall(integration, 'custom_query');
  await run(operation, undefined, { http: `${http}\n  retry: { attempts: 1 }`, drift: call }).catch(
    () => undefined,
  );
  return drift
    .take()
    .map(({ integrationId: _, operation: _operation, at: _at, ...found }) => found);
}

const record = { id: 1 };

function fails(status: number): Handler {
  return (_url, _request, response) => {
    response.statusCode = status;
    return { message: 'no' };
  };
}

describe('what the responses of a document show', () => {
  it('is nothing where all is as it was', async () => {
    expect(await read(() => ({ record }))).toEqual([]);
  });

  it('are headers that say that it ends, whatever the status', async () => {
    const sunset = 'Sat, 31 Dec 2022 23:59:59 GMT';
    for (const status of [200, 404])
      expect(
        await read((_url, _request, response) => {
          response.statusCode = status;
          response.setHeader('Sunset', sunset);
          return { record };
        }),
      ).toEqual([{ kind: 'sunset', date: '2022-12-31T23:59:59.000Z' }]);
  });

  it('are the warnings that the document says where to find', async () => {
    const warnings = '\n  warnings: this.body.meta.warnings | null';
    const handle = () => ({ record, meta: { warnings: ['old_name', 'Payroll is archived'] } });
    expect(await read(handle, warnings)).toEqual([
      { kind: 'warning', code: 'old_name' },
      { kind: 'warning' },
    ]);
    expect(await read(handle)).toEqual([]);
    expect(await read(() => ({ record }), warnings)).toEqual([]);
  });

  it('are failures that no rule describes', async () => {
    expect(await read(fails(418))).toEqual([{ kind: 'unmatched_error', code: '418' }]);
    expect(await read(fails(422))).toEqual([{ kind: 'unmatched_error', code: '422' }]);
    const rule = '\n  limited: this.status == 418';
    expect(await read(fails(418), rule)).toEqual([]);
  });

  it.each([401, 403, 404, 409, 429, 503])(
    'are not statuses that say it all: %s',
    async (status) => {
      expect(await read(fails(status))).toEqual([]);
    },
  );

  it('are bodies that the document does not expect', async () => {
    expect(await read(() => ({ ok: false }))).toEqual([
      { kind: 'unmatched_error', code: 'record' },
    ]);
  });
});
