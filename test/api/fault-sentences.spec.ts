import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

const document = `provider: ticketing_words
version: 1.0.0
fullname: Words
vendor: Tests
configuration:
  properties: { mode: { enum: [fast, slow] } }
http: { base_url: '"https://words.example.com"' }
operations:
  ticketing_get_ticket:
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
`;

// "Faults point at the right line (an unknown operation points one line below); unknown chain operations are called operations; …
// "stands there 2 times", "the value is another one", "expected query", "is not one of enum values" become sentences."
describe('a fault', () => {
  let service: Service;
  let token: string;
  beforeAll(async () => {
    service = await startService();
    const stored = await service.call('POST', '/v1/customs', { data: document });
    expect([stored.status, stored.message]).toEqual([200, '']);
    await service.call('POST', '/v1/accounts', { name: 'words' });
    const made = await service.call<{ token: { access: { secret: string } } }>(
      'POST',
      '/v1/integrations/words',
      { provider_config: { type: 'ticketing_words', mode: 'fast' } },
    );
    token = made.result.token.access.secret;
  });
  afterAll(() => service.stop());

  const dry = (data: string) =>
    service.call('POST', '/v1/customs?dry_run=true', { name: 'dry', data });

  it.each([
    [
      'an unknown operation, at its own line',
      document.replace('ticketing_get_ticket', 'ticketing_get_tickets'),
      'line 9, column 3: there is no operation "ticketing_get_tickets"',
      'Did you mean ticketing_get_ticket?',
    ],
    [
      'the reason of an unknown operation, at its own line',
      `${document}unsupported:\n  ticketing_get_tickets:\n    there are none\n`,
      'line 13, column 3: there is no operation "ticketing_get_tickets"',
      'Did you mean ticketing_get_ticket?',
    ],
    [
      'an expression that is empty ("expected query")',
      document.replace('{this.path.ticketId}', '{}'),
      'line 10, column 32: an expression is expected here',
      '',
    ],
    [
      'a key without a value',
      document.replace('record: this.steps.call', 'record:'),
      'line 11, column 12: record is empty',
      'Write a text, or true or false, or a number.',
    ],
    [
      'a key that is given twice',
      `${document}vendor: Others\n`,
      'line 12, column 1: the key "vendor" is given twice in this mapping',
      'Join the two, or remove one.',
    ],
  ])('of a document names %s', async (_what, data, message, remediation) => {
    expect(await dry(data)).toMatchObject({
      status: 400,
      message: `body /data: ${message}`,
      remediation,
    });
  });

  it('of a template that is empty says what is expected ("expected query")', async () => {
    const data =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root.a = \n';
    const { status, message } = await service.call('POST', '/v1/mappings?dry_run=true', { data });
    expect([status, message]).toEqual([
      400,
      'body /data: line 5, column 14: an expression is expected here',
    ]);
  });

  it.each([
    ['/v1/accounts?limit=1&limit=2', 'limit', false],
    ['/v1/ticketing/tickets?cursor=a&cursor=b', 'cursor', true],
  ])(
    'of a parameter says how often it is given ("stands there 2 times"): %s',
    async (path, name, isCall) => {
      expect(await service.call('GET', path, undefined, isCall ? token : undefined)).toMatchObject({
        status: 400,
        message: `query ${name}: is given 2 times, and one value is allowed`,
        remediation: 'Send it once.',
      });
    },
  );

  it('of a patch says what its test did not find ("the value is another one")', async () => {
    const test = (path: string) =>
      service.call('PATCH', '/v1/accounts/words', [{ op: 'test', path, value: 'other' }]);
    const remediation = 'Read the record again and adapt the patch.';
    expect(await test('/name')).toMatchObject({
      status: 409,
      message: '/name does not have the value that the patch tests for',
      remediation,
    });
    expect(await test('/nome')).toMatchObject({
      status: 409,
      message: '/nome does not exist, so its value cannot be tested',
      remediation,
    });
  });

  it('of a configuration names its values ("is not one of enum values")', async () => {
    const provider_config = { type: 'ticketing_words', mode: 'fst' };
    expect(await service.call('POST', '/v1/integrations/words', { provider_config })).toMatchObject(
      {
        status: 400,
        message: 'body /provider_config/mode: must be one of fast, slow',
      },
    );
  });

  it('of a chain calls its operations operations', async () => {
    const mappings = [{ mappings: ['default:0'], operation_ids: ['ticketing_get_tickets'] }];
    const provider_config = { type: 'ticketing_words', mode: 'fast' };
    expect(
      await service.call('POST', '/v1/integrations/words', { provider_config, mappings }),
    ).toMatchObject({
      status: 400,
      message: 'body /mappings/0/operation_ids/0: is not an operation of ticketing',
      remediation: 'Did you mean ticketing_get_ticket?',
    });
  });
});
