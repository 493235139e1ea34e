import type { Provider } from '#connect';
import { answered, collection, now, type Stored, ticketOf } from './desk.js';
import { ticket, ticketRequest } from './mappings.js';

const text = { type: 'string' } as const;
const time = { type: 'datetime' } as const;

/** What tickets can be filtered and ordered by, in our shape. */
const fields = {
  ...{ id: text, name: text, summary: text, description: text, status: text, project: text },
  ...{ creator: text, assignee: text, contact: text, issue_type: text, parent: text },
  priority: {
    type: 'enum',
    values: ['URGENT', 'CRITICAL', 'HIGH', 'MEDIUM', 'MODERATE', 'LOW', 'PLANNING'],
  },
  tags: { type: 'list', orders: false },
  ...{ created_at: time, updated_at: time, due_date: time, completion_date: time, time },
} as const;

const usual = { resource: 'tickets', response: ticket, request: ticketRequest };

export const ticketOperations: Provider['operations'] = {
  ticketing_query_tickets: {
    ...usual,
    action: 'query',
    fields,
    run: async (call) => ({ all: answered(call, '/tickets', await collection(call, 'tickets')) }),
  },
  ticketing_get_ticket: {
    ...usual,
    action: 'read',
    run: async (call) => ({
      record: answered(call, `/tickets/${call.path['ticketId']}`, await ticketOf(call)),
    }),
  },
  ticketing_create_ticket: {
    ...usual,
    action: 'create',
    run: async (call) => {
      const tickets = await collection(call, 'tickets');
      const body = call.body();
      const project = typeof body['project'] === 'string' ? body['project'] : 'ITS';
      const at = now(call);
      const made: Stored = {
        state: 'open',
        reporter: 'api',
        ...body,
        project,
        id: nextId(project, tickets),
        opened: at,
        changed: at,
      };
      await call.records.insert('tickets', made);
      return { record: answered(call, '/tickets', made) };
    },
  },
  ticketing_patch_ticket: {
    ...usual,
    action: 'patch',
    run: async (call) => {
      const { id, opened, ...native } = await ticketOf(call);
      const made: Stored = {
        ...call.patched({ ...native, id, opened }),
        id,
        opened,
        changed: now(call),
      };
      await call.records.update('tickets', made);
      return { record: answered(call, `/tickets/${id}`, made) };
    },
  },
};

/** `ITS-1013`: the number behind the greatest there is. */
function nextId(project: string, tickets: readonly Stored[]): string {
  const numbers = tickets.map(({ id }) => Number(id.split('-').at(-1)) || 0);
  return `${project}-${Math.max(1000, ...numbers) + 1}`;
}
