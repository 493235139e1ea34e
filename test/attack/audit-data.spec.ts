import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import { type Service, startService } from '../api/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const customer = 'Jane Q. Customer, 4111111111111111';

/** Returns the tables of a schema's name pattern as text, read by the owner of the database. */
async function everythingStored(tablesLike = '%'): Promise<string> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
       where schemaname = 'public' and tablename like $1`,
      [tablesLike],
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select t::text as text from ${name} t`,
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

describe("customers' records in a request", () => {
  it('are stored nowhere when mappings are tried on them, whether that works or fails', async () => {
    const made = await service.call('POST', '/v1/mappings', {
      name: 'to-number',
      data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.id = this.name.number()\n',
    });
    const works = { mappings: ['to-number'], data: { name: '7', note: customer } };
    const quoted = { mappings: ['to-number'], data: { name: customer } };
    const unknown = { mappings: ['nowhere'], data: { name: customer } };
    const invalid = { mappings: 'to-number', data: { name: customer } };
    const apply = async (body: unknown) =>
      (await service.call('POST', '/v1/mappings/apply', body)).status;
    expect([
      made.status,
      await apply(works),
      await apply(quoted),
      await apply(unknown),
      await apply(invalid),
    ]).toEqual([200, 200, 400, 400, 400]);
    const stored = await everythingStored();
    expect(stored).toContain('/v1/mappings/apply');
    expect(stored).toContain('[not kept]');
    expect(stored).not.toContain('Jane Q. Customer');
  });

  it('are not in the audit trail when they are sent to a provider, whether it takes them or not', async () => {
    const account = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const made = await service.call<{ token: { access: { secret: string } } }>(
      'POST',
      `/v1/integrations/${account.result.account.id}`,
      { provider_config: { type: 'ticketing_mock_ticketing' } },
    );
    const token = made.result.token.access.secret;
    const path = '/v1/ticketing/tickets';
    const send = async (body: object) => (await service.call('POST', path, body, token)).status;
    const ticket = { name: customer, summary: customer, description: customer };
    const statuses = [await send(ticket), await send({ ...ticket, name: [customer] })];
    expect(statuses).toEqual([200, 400]);
    let trail = '';
    await eventually(async () => {
      trail = await everythingStored('audit%');
      expect(trail).toContain(path);
    });
    expect(trail).not.toContain('Jane Q. Customer');
    expect(await everythingStored()).toContain('Jane Q. Customer'); // the mock's own record
  });
});
