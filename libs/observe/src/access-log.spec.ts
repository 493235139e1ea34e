import { afterEach, expect, it } from '@jest/globals';
import { flushAccessLog, logAccess, writeAccessTo } from './access-log.js';

let written = '';
const target = { service: 'spec', processId: 'one', write: (text: string) => (written += text) };
afterEach(() => {
  writeAccessTo(undefined);
  written = '';
});

it('writes a line of JSON, whatever is in its fields', () => {
  writeAccessTo(target);
  const owner = { organizationId: 'org_1', accountId: 'acc_1', integrationId: 'int_1' };
  logAccess(
    {
      requestId: 'a"\n\\b',
      traceId: '4bf92f',
      owner,
      provider: 'custom "é"',
      operation: 'ticketing_get',
      status: 503,
    },
    performance.now() - 5,
  );
  flushAccessLog();
  expect(written.endsWith('}\n')).toBe(true);
  expect(JSON.parse(written)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'info',
    service: 'spec',
    process: 'one',
    message: 'call',
    request_id: 'a"\n\\b',
    trace_id: '4bf92f',
    organization_id: 'org_1',
    account_id: 'acc_1',
    integration_id: 'int_1',
    provider: 'custom "é"',
    operation: 'ticketing_get',
    status: 503,
    ms: expect.any(Number),
  });
});

it('leaves out what is not known, and writes nothing while it is off', () => {
  logAccess({ requestId: 'off', operation: 'accounts_list', status: 200 }, 0);
  writeAccessTo(target);
  logAccess({ requestId: 'on', owner: null, operation: 'accounts_list', status: 401 }, 0);
  flushAccessLog();
  const { request_id: id, ...line } = JSON.parse(written) as Record<string, unknown>;
  expect(id).toBe('on');
  expect(Object.keys(line)).toEqual(
    'time level service process message operation status ms'.split(' '),
  );
});
