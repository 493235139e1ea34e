import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ProviderRecord, type RecordChange, RecordChanged } from '#connect';
import { notFound } from '#contract';
import { dataset } from './dataset.js';
import type { MockCall } from './mock-operation.js';

/** Address that the mock's responses come from, for `api/response`. */
const address = 'https://desk.mock/api';

export type Stored = ProviderRecord & { id: string };

/** Returns the records of a collection, which is filled with the dataset at its first use. */
export async function collection(mock: MockCall, name: string): Promise<Stored[]> {
  await mock.records.seed(dataset);
  return (await mock.records.all(name)) as Stored[];
}

/** Returns the records that belong to a ticket. @throws ApiError 404 if the ticket does not exist */
export async function ofTicket(mock: MockCall, name: string): Promise<Stored[]> {
  const { id } = await ticketOf(mock);
  // A list of attachments does not load the files.
  return (await mock.records.of(name, { field: 'ticket', id }, 'content')) as Stored[];
}

/** Returns the ticket of the path. @throws ApiError 404 */
export async function ticketOf(mock: MockCall): Promise<Stored> {
  await mock.records.seed(dataset);
  const id = mock.call.path['ticketId'] ?? '';
  const ticket = await mock.records.find('tickets', id);
  if (ticket === undefined) throw notFound('ticket', id);
  return ticket as Stored;
}

/** Returns all tickets with the descriptions of their attachments. */
export async function ticketsWithFiles(mock: MockCall): Promise<Stored[]> {
  await mock.records.seed(dataset);
  const [tickets, files] = await Promise.all([
    mock.records.all('tickets') as Promise<Stored[]>,
    mock.records.all('attachments', 'content'),
  ]);
  if (files.length === 0) return tickets;
  const byTicket = new Map<unknown, ProviderRecord[]>();
  for (const file of files)
    byTicket.set(file['ticket'], [...(byTicket.get(file['ticket']) ?? []), file]);
  return tickets.map((ticket) => {
    const own = byTicket.get(ticket.id);
    return own === undefined ? ticket : { ...ticket, files: own };
  });
}

/** Returns the ticket of the path with the descriptions of its attachments. @throws ApiError 404 */
export async function ticketWithFiles(mock: MockCall): Promise<Stored> {
  await mock.records.seed(dataset);
  const id = mock.call.path['ticketId'] ?? '';
  const files = { collection: 'attachments', field: 'ticket', without: 'content' };
  const ticket = await mock.records.findWith('tickets', id, files, 'files');
  if (ticket === undefined) throw notFound('ticket', id);
  return ticket as Stored;
}

/** Returns one record that belongs to the ticket of the path. @throws ApiError 404 */
export async function partOf(mock: MockCall, name: string, id = ''): Promise<Stored> {
  const ticket = await ticketOf(mock);
  const record = await mock.records.find(name, id);
  if (record === undefined || record['ticket'] !== ticket.id) throw notFound('record', id);
  return record as Stored;
}

export function newId(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}

export function now(mock: MockCall): string {
  return new Date(mock.call.clock.now()).toISOString();
}

/** Passes the response of the mock to the meta functions, and returns it. */
export function recordResponse<T>(mock: MockCall, path: string, answer: T): T {
  mock.call.onResponse(() => ({ url: `${address}${path}`, text: JSON.stringify(answer) }), true);
  return answer;
}

/**
 * Replaces the fields of a record that were written before by the new ones, so that a removed field is removed.
 * @throws RecordChanged if the record was changed since the patch read it
 */
export function patchedRecord(
  native: ProviderRecord,
  change: RecordChange | undefined,
): ProviderRecord {
  if (change === undefined || !isDeepStrictEqual(native, change.current)) throw new RecordChanged();
  const { before, after } = change;
  const rest = Object.entries(native).filter(([key]) => !Object.hasOwn(before, key));
  return { ...Object.fromEntries(rest), ...after };
}
