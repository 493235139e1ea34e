import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ApiError,
  badRequest,
  loadValidatorOf,
  loadValidators,
  notFound,
  type OperationId,
  operationOf,
  operations,
  readQuery,
  validateBody,
} from './index.js';

const query = (id: OperationId, text: string) =>
  readQuery(operationOf(id), new URLSearchParams(text));
const faults = (id: OperationId, body: unknown) =>
  validateBody(operationOf(id), body).map(({ pointer, message, value }) => ({
    pointer,
    message,
    value,
  }));

describe('readQuery', () => {
  it('reads numbers, booleans and repeated values, and fills in defaults', () => {
    expect(query('accounts_list', 'limit=5&total=true&filter=a&filter=b&unknown=1')).toEqual({
      query: { limit: 5, total: true, filter: ['a', 'b'], order: ['name'] },
      faults: [],
    });
  });

  it.each([
    ['limit=x', 'limit', 'must be a whole number of 0 or more'],
    ['limit=-1', 'limit', 'must be a whole number of 0 or more'],
    ['limit=1&limit=2', 'limit', 'is given 2 times, and one value is allowed'],
    ['total=yes', 'total', 'must be true or false'],
    [`start_after=${'x'.repeat(9000)}`, 'start_after', 'is longer than 8192 characters'],
    [
      Array(101).fill('filter=a').join('&'),
      'filter',
      'is given 101 times, and at most 100 are allowed',
    ],
  ])('refuses %s', (text, pointer, message) => {
    expect(query('accounts_list', text).faults).toMatchObject([
      { location: 'query', pointer, message },
    ]);
  });

  it('refuses a value that is not in the contract', () => {
    expect(query('integrations_list', 'expand=everything').faults).toMatchObject([
      { pointer: 'expand', value: 'everything', remediation: expect.stringContaining('account') },
    ]);
  });
});

describe('validateBody of base64', () => {
  beforeAll(loadValidators);
  const file = (content: string) =>
    faults('ticketing_create_attachment', { file_name: 'a.txt', content });

  it.each(['', 'c3VwcG9ydA==', 'c3VwcG9ydA', '+/+/'])('accepts "%s"', (content) => {
    expect(file(content)).toEqual([]);
  });

  it.each(['c', 'c3V wcG9y', 'c3VwcG9ydA=x', '-_-_', 'QR=='])('refuses "%s"', (content) => {
    expect(file(content)).toEqual([
      { pointer: '/content', message: 'is not base64', value: undefined },
    ]);
  });

  it('accepts a file of ten megabytes', () => {
    expect(file('QUJD'.repeat(2_500_000))).toEqual([]);
  });
});

describe('readQuery with arbitrary input', () => {
  it('returns values of the declared types or faults', () => {
    const entries = fc.array(
      fc.tuple(fc.constantFrom('limit', 'total', 'filter', 'expand', '__proto__'), fc.string()),
    );
    const javascriptType = {
      integer: 'number',
      boolean: 'boolean',
      string: 'string',
      array: 'object',
    };
    fc.assert(
      fc.property(fc.constantFrom(...operations.values()), entries, (operation, pairs) => {
        const read = readQuery(operation, new URLSearchParams(pairs));
        for (const [name, value] of Object.entries(read.query))
          expect(typeof value).toBe(javascriptType[operation.query[name]!.type]);
        for (const fault of read.faults) expect(fault.remediation).toBeTruthy();
      }),
      { numRuns: 1000 },
    );
  });
});

describe('validateBody', () => {
  beforeAll(loadValidators);

  it('accepts valid bodies, and ignores unknown fields', () => {
    expect(
      faults('accounts_create', { name: null, environment: 'test', labels: ['a'], later: 1 }),
    ).toEqual([]);
  });

  it('finds all faults and the place of each', () => {
    expect(faults('accounts_create', { name: 5, environment: 'moon', labels: ['a', 1] })).toEqual([
      { pointer: '/name', message: 'must be string or null', value: 5 },
      { pointer: '/environment', message: 'has a value that is not known', value: 'moon' },
      { pointer: '/labels/1', message: 'must be string', value: 1 },
    ]);
  });

  it('validates a provider configuration by its type only', () => {
    expect(
      faults('integrations_create', { provider_config: { type: 'ticketing_jira', url: 3 } }),
    ).toEqual([
      { pointer: '/provider_config/credential', message: 'is required', value: undefined },
      { pointer: '/provider_config/url', message: 'must be string', value: 3 },
    ]);
  });

  it('accepts providers outside the contract, which their documents validate', () => {
    expect(
      faults('integrations_create', { provider_config: { type: 'ticketing_redmine' } }),
    ).toEqual([]);
    expect(faults('integrations_create', { provider_config: {} })).toMatchObject([
      { pointer: '/provider_config/type', message: 'is required' },
    ]);
  });

  it.each<[OperationId, unknown]>([
    ['credentials_create', { config: { type: 'basic', username: 'u', secret: 12345 } }],
    ['credentials_create', { config: '12345' }],
    ['credentials_create', '12345'],
    ['organizationWebhooks_create', { secret: { value: 12345 } }],
    ['integrations_create', { webhook_config: { items: [{ integrator_key: 12345 }] } }],
    ['integrations_verify', { integration: { provider_config: '12345' } }],
  ])('never shows a secret of %s: %j', (id, body) => {
    expect(JSON.stringify(validateBody(operationOf(id), body))).not.toContain('12345');
  });

  it('hides the value of a secret, but not its place', () => {
    expect(faults('credentials_create', { config: '12345' })).toMatchObject([
      { pointer: '/config', value: '[secret]' },
    ]);
  });

  it('returns at most twenty faults for any JSON and never throws', async () => {
    const withBody = [...operations.values()].filter(
      ({ request, state }) => request === 'json' && state === 'served',
    );
    for (const operation of withBody) await loadValidatorOf(operation);
    fc.assert(
      fc.property(fc.constantFrom(...withBody), fc.jsonValue(), (operation, body) => {
        const found = validateBody(operation, body);
        expect(found.length).toBeLessThanOrEqual(20);
        for (const fault of found) expect(fault).toMatchObject({ location: 'body' });
      }),
      { numRuns: 1000 },
    );
  });

  it('loads the validators of bodies with OCSF records at their first use', async () => {
    const operation = operationOf('siem_post_events');
    await loadValidatorOf(operation);
    expect(faults('siem_post_events', {})).toMatchObject([{ pointer: '' }]);
    await expect(loadValidatorOf(operationOf('ticketing_create_note'))).resolves.toBeUndefined();
  });

  it('does not accept an object as an array', () => {
    expect(faults('accounts_patch', { op: 'add' })).toMatchObject([
      { pointer: '', message: 'must be array' },
    ]);
  });
});

describe('a Problem', () => {
  it('has the first fault as its context and all faults as causes', () => {
    const error = badRequest([
      { location: 'body', pointer: '/name', message: 'must be string', value: 5 },
      { location: 'query', pointer: 'limit', message: 'is required' },
    ]);
    const problem = error.toProblem('/requests/r1', new Date(0));
    expect(problem).toMatchObject({
      status: 400,
      message: 'body /name: must be string',
      instance: '/requests/r1',
      occurred_at: '1970-01-01T00:00:00.000Z',
      context: { parameter: { id: '/name', location: 'body', value: '5' } },
      cause: [{ message: 'must be string' }, { message: 'is required' }],
    });
  });

  it('names the missing record', () => {
    const problem = notFound('account', 'acc_1').toProblem('/requests/r1', new Date(0));
    expect(problem.context?.resources).toEqual([{ type: 'account', id: 'acc_1', rel: 'cause' }]);
    expect(problem.message).toBe('there is no account "acc_1"');
  });

  it('keeps its cause for the log and out of the response', () => {
    const error = new ApiError(502, 'the provider failed', { cause: new Error('inner') });
    expect(JSON.stringify(error.toProblem('/x', new Date(0)))).not.toContain('inner');
  });
});
