import { ApiError, notFound } from '#contract';
import type { ProviderRecord } from '#connect';
import { dataset } from './dataset.js';
import {
  answered,
  collection,
  now,
  patchedRecord,
  type Stored,
  ticketOf,
  ticketWithFiles,
  withFiles,
} from './desk.js';
import { ticket, ticketRequest } from './mappings.js';
import type { MockCall, MockOperations } from './mock-operation.js';

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

const usual = { resource: 'tickets', ...ticket, request: ticketRequest };

export const ticketOperations: MockOperations = {
  ticketing_query_tickets: {
    ...usual,
    action: 'query',
    fields,
    order: 'time',
    run: async (mock) => ({
      all: answered(mock, '/tickets', await withFiles(mock, collection(mock, 'tickets'))),
    }),
  },
  ticketing_get_ticket: {
    ...usual,
    action: 'read',
    run: async (mock) => ({
      record: answered(mock, `/tickets/${mock.call.path['ticketId']}`, await ticketWithFiles(mock)),
    }),
  },
  ticketing_create_ticket: {
    ...usual,
    action: 'create',
    run: async (mock) => {
      await mock.records.seed(dataset);
      const body = mock.request.body ?? {};
      const project = typeof body['project'] === 'string' ? body['project'] : 'ITS';
      const at = now(mock);
      const defaults = { state: 'open', reporter: 'api' };
      const made = await insertNumbered(mock, {
        ...defaults,
        ...body,
        project,
        opened: at,
        changed: at,
      });
      return { record: answered(mock, '/tickets', made) };
    },
  },
  ticketing_patch_ticket: {
    ...usual,
    action: 'patch',
    readOnly: ['id', 'created_at', 'updated_at', 'attachments'],
    current: ticketOf,
    run: async (mock) => {
      const { id, opened } = await ticketOf(mock);
      const made = await mock.records.change('tickets', id, (native) => ({
        ...patchedRecord(native, mock.request.change),
        id,
        opened,
        changed: now(mock),
      }));
      if (made === undefined) throw notFound('ticket', id);
      return { record: answered(mock, `/tickets/${id}`, await ticketWithFiles(mock)) };
    },
  },
};

const mostTries = 1_000;

/** Keeps a ticket as `ITS-1013`: the number behind the greatest there is, or the next when another call was faster. */
async function insertNumbered(mock: MockCall, ticket: ProviderRecord): Promise<Stored> {
  const first = Math.max(1000, await mock.records.greatestNumber('tickets')) + 1;
  for (let number = first; number < first + mostTries; number += 1) {
    const made: Stored = { ...ticket, id: `${String(ticket['project'])}-${number}` };
    if (await mock.records.insert('tickets', made)) return made;
  }
  throw new ApiError(503, 'too many tickets are created at once', {
    remediation: 'Try again in a moment.',
  });
}
