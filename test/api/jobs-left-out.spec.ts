import { describe, expect, it } from '@jest/globals';
import {
  account,
  type Integrated,
  ended,
  receiver,
  request,
  service,
  setDesk,
  useJobs,
  work,
} from './jobs-stage.js';

useJobs();

/** A mapping that refuses one ticket, and passes the others on. */
const refusing = (name: string) => `engine: bloblang_direct
version: "1.0"
templates:
  default: 'root = if this.name == ${JSON.stringify(name)} { throw("poison") } else { this }'
`;
const namesOf = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name);

/** An integration of the mock, whose records pass this mapping. */
async function integrateWith(mapping: string): Promise<Integrated> {
  const { result } = await service.call<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>('POST', `/v1/integrations/${account}`, {
    provider_config: { type: 'ticketing_mock_ticketing' },
    mappings: [{ mappings: ['default:0', mapping], operation_ids: ['ticketing_query_tickets'] }],
  });
  return { id: result.integration.id, secret: result.token.access.secret };
}

describe('a job whose list has a record that its mapping refuses', () => {
  it('writes the others, names it in errors, and completes', async () => {
    const store = (name: string, refused: string) =>
      service.call('POST', '/v1/mappings', { name, data: refusing(refused) });
    await store('all', 'nothing of this name');
    const plain = await integrateWith('all');
    const path = '/v1/ticketing/tickets?limit=1000';
    const all = namesOf((await service.call('GET', path, undefined, plain.secret)).result);
    const [, , poison = ''] = all;
    await store('no-poison', poison);
    const poisoned = await integrateWith('no-poison');
    setDesk(poisoned);
    const { result } = await request();
    work();
    const job = await ended(result.operation.id);
    expect(job.status).toBe('COMPLETE');
    expect(job.errors).toHaveLength(all.filter((name) => name === poison).length);
    expect(job.errors?.[0]?.message).toMatch(
      /^reading page 0: record \d+ \(id .*\) was left out: the mapping no-poison:1 failed: .*poison/,
    );
    expect(receiver.requests.flatMap(({ events }) => namesOf(events)).sort()).toEqual(
      all.filter((name) => name !== poison).sort(),
    );
  });
});
