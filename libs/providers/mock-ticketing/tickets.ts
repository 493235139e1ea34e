import { ApiError, notFound } from '#contract';
import type { ProviderRecord } from '#connect';
import { dataset } from './dataset.js';
import {
  recordResponse,
  now,
  patchedRecord,
  type Stored,
  ticketOf,
  ticketsWithFiles,
  ticketWithFiles,
} from './desk.js';
import { ticket, ticketRequest } from './mappings.js';
import type { MockCall, MockOperations } from './mock-operation.js';

const text = { type: 'string' } as const;
const time = { type: 'datetime' } as const;

/** Fields that tickets can be filtered and ordered by, in our shape. */
const fields = {
  id: text,
  name: text,
  summary: text,
  description: text,
  status: text,
  project: text,
  creator: text,
  assignee: text,
  contact: text,
  issue_type: text,
  parent: text,
  priority: {
    type: 'enum',
    values: ['URGENT', 'CRITICAL', 'HIGH', 'MEDIUM', 'MODERATE', 'LOW', 'PLANNING'],
  },
  tags: { type: 'list', orders: false },
  created_at: time,
  updated_at: time,
  due_date: time,
  completion_date: time,
  time,
} as const;

const defaults = { resource: 'tickets', ...ticket, request: ticketRequest };

export const ticketOperations: MockOperations = {
  ticketing_query_tickets: {
    ...defaults,
    action: 'query',
    fields,
    order: 'time',
    run: async (mock) => ({
      all: recordResponse(mock, '/tickets', await ticketsWithFiles(mock)),
    }),
  },
  ticketing_get_ticket: {
    ...defaults,
    action: 'read',
    run: async (mock) => ({
      record: recordResponse(
        mock,
        `/tickets/${mock.call.path['ticketId']}`,
        await ticketWithFiles(mock),
      ),
    }),
  },
  ticketing_create_ticket: {
    ...defaults,
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
      return { record: recordResponse(mock, '/tickets', made) };
    },
  },
  ticketing_patch_ticket: {
    ...defaults,
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
      return { record: recordResponse(mock, `/tickets/${id}`, await ticketWithFiles(mock)) };
    },
  },
};

const maxTries = 1_000;

/** Stores a ticket under the next number, such as `ITS-1013`, or a later one if a concurrent call took it. */
async function insertNumbered(mock: MockCall, ticket: ProviderRecord): Promise<Stored> {
  const first = Math.max(1000, await mock.records.greatestNumber('tickets')) + 1;
  for (let number = first; number < first + maxTries; number += 1) {
    const made: Stored = { ...ticket, id: `${String(ticket['project'])}-${number}` };
    if (await mock.records.insert('tickets', made)) return made;
  }
  throw new ApiError(503, 'too many tickets are created at once', {
    remediation: 'Try again in a moment.',
  });
}
