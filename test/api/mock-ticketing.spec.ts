import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Ticket {
  id: string;
  priority?: string;
  attachments?: object[];
}

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  const made = await service.call<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${result.account.id}`,
    { provider_config: { type: 'ticketing_mock_ticketing' } },
  );
  token = made.result.token.access.secret;
});
afterAll(() => service.stop());

async function call<Result = Ticket>(method: string, path: string, body?: unknown) {
  const answer = await service.call<Result>(method, `/v1/ticketing/${path}`, body, token);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer;
}
const create = (body: object) =>
  call('POST', 'tickets', { name: 'A ticket', summary: 'A ticket', ...body });

describe('"A provider of ours keeps what it was given": the mock', () => {
  it.each(['URGENT', 'CRITICAL', 'HIGH', 'MEDIUM', 'MODERATE', 'LOW', 'PLANNING'])(
    'keeps the priority %s when a ticket is created and patched',
    async (priority) => {
      const { result, notes } = await create({ priority });
      expect([result.priority, notes]).toEqual([priority, []]);
      const other = await create({});
      const patch = [{ op: 'add', path: '/priority', value: priority }];
      const patched = await call('PATCH', `tickets/${other.result.id}`, patch);
      expect([patched.result.priority, patched.notes]).toEqual([priority, []]);
      expect((await call('GET', `tickets/${result.id}`)).result.priority).toBe(priority);
    },
  );

  it('finds tickets by each of them', async () => {
    const { result } = await call<Ticket[]>(
      'GET',
      'tickets?filter=priority%5Beq%5DMODERATE&limit=10',
    );
    expect(result.map(({ priority }) => priority)).toEqual(['MODERATE', 'MODERATE']);
  });
});

describe("the mock's ticket", () => {
  it('shows its attachments, and no other', async () => {
    const { result: ticket } = await create({});
    const { result: other } = await create({});
    expect(ticket.attachments).toBeUndefined();
    const content = Buffer.from('hello').toString('base64');
    for (const [one, name] of [
      [ticket, 'a.txt'],
      [ticket, 'b.png'],
      [other, 'c.txt'],
    ] as const)
      await call('POST', `attachments/${one.id}`, { file_name: name, content });
    const { result: listed } = await call<object[]>('GET', `attachments/${ticket.id}`);
    expect(listed).toMatchObject([
      { file_name: 'a.txt', file_type: 'text/plain', file_size: 5 },
      { file_name: 'b.png' },
    ]);
    const read = await call('GET', `tickets/${ticket.id}`);
    expect(read.result.attachments).toEqual(listed);
    const patch = [{ op: 'replace', path: '/summary', value: 'Changed' }];
    const patched = await call('PATCH', `tickets/${ticket.id}`, patch);
    expect(patched.result.attachments).toEqual(listed);
    const { result: all } = await call<Ticket[]>('GET', 'tickets?limit=1000');
    expect(all.find(({ id }) => id === ticket.id)?.attachments).toEqual(listed);
    expect(all.find(({ id }) => id === other.id)?.attachments).toHaveLength(1);
  });
});
