import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { dataset } from './dataset.js';
import { ticketsWithFiles } from './desk.js';
import type { MockCall } from './mock-operation.js';
import { operations } from './mock-ticketing.js';
import {
  agent,
  attachment,
  comment,
  note,
  project,
  remoteField,
  ticket,
  ticketRequest,
} from './mappings.js';

const records = (name: string) => dataset[name] ?? [];

describe('the mappings of the mock', () => {
  it('map a ticket to our shape, and keep other fields as unmapped', () => {
    expect(ticket.response(records('tickets')[2] ?? {})).toEqual({
      id: 'NET-1003',
      name: 'Packet loss between Lisbon and Frankfurt',
      summary: 'Packet loss between Lisbon and Frankfurt',
      description: 'Two to four percent since 06:10, provider ticket 88213.',
      status: 'waiting',
      priority: 'URGENT',
      creator: 'u-ben',
      assignee: 'u-ben',
      project: 'NET',
      issue_type: 'incident',
      tags: ['wan', 'provider'],
      created_at: '2026-01-13T10:44:00Z',
      updated_at: '2026-01-14T10:52:00Z',
      due_date: '2026-01-27T08:30:00Z',
      custom_fields: { site: 'Singapore' },
      unmapped: { watchers: 2 },
    });
  });

  it('map every ticket of the dataset to our shape and back', () => {
    for (const native of records('tickets')) {
      const { name: _ours, ...back } = ticketRequest(
        ticket.response(native) as object as typeof native,
      ) as typeof native;
      expect(native).toMatchObject(back);
    }
  });

  it('use the name of a ticket without a summary', () => {
    expect(ticketRequest({ name: 'Short' })).toEqual({ title: 'Short', name: 'Short' });
  });

  it('give the size of a file in bytes', () => {
    expect(attachment.response({ id: 'f', name: 'a', type: 't', size: 5 })).toMatchObject({
      file_size: 5,
    });
  });

  it('have the path of a field', () => {
    expect(remoteField.response(records('fields')[2] ?? {})).toMatchObject({
      field_scope: 'integration_custom',
      provider_field_path: 'fields.site',
    });
  });

  it('have the names of people, comments and notes', () => {
    expect(agent.response(records('users')[0] ?? {})).toMatchObject({
      uid: 'u-ana',
      full_name: 'Ana Moreira',
    });
    expect(note.response(records('comments')[0] ?? {})).not.toHaveProperty('title');
    expect(note.response(records('notes')[0] ?? {})).toMatchObject({ title: 'Indicators' });
  });
});

describe('the declared fields of the mock', () => {
  it.each([
    ['tickets', ticket],
    ['comments', comment],
    ['notes', note],
    ['attachments', attachment],
    ['projects', project],
    ['fields', remoteField],
    ['users', agent],
  ] as const)('are those of its %s', (name, { response, responseFields }) => {
    const filled = records(name).flatMap((native) => Object.keys(response(native) as object));
    expect(filled.length).toBeGreaterThan(0);
    expect(responseFields).toEqual(expect.arrayContaining([...new Set(filled)]));
    expect(responseFields).toEqual([...responseFields].sort());
  });

  it('are declared for every operation that returns records', () => {
    const filled = Object.entries(operations).map(([id, operation]) => [
      id,
      (operation.responseFields ?? []).length > 0,
    ]);
    const deletes = filled.filter(([, fills]) => !fills).map(([id]) => id);
    expect(filled.length).toBeGreaterThan(15);
    expect(deletes).toEqual([
      'ticketing_delete_comment',
      'ticketing_delete_note',
      'ticketing_delete_attachment',
    ]);
    expect(comment.responseFields).not.toContain('title');
  });
});

it('the first list of tickets has their attachments, however long it takes to store them', async () => {
  let isFilled = false;
  const seed = async () => {
    await sleep(10);
    isFilled = true;
  };
  const all = (name: string) => Promise.resolve(isFilled ? records(name) : []);
  const tickets = await ticketsWithFiles({ records: { seed, all } } as unknown as MockCall);
  expect(tickets).toHaveLength(records('tickets').length);
  expect(tickets.flatMap(({ files = [] }) => files as object[])).toMatchObject([
    { ticket: 'ITS-1001', name: 'rekey.log' },
  ]);
});
