import { randomUUID } from 'node:crypto';
import { notFound } from '#contract';
import type { Native } from '#connect';
import { dataset } from './dataset.js';
import type { MockCall } from './mock-operation.js';

/** Where the mock says its answers come from; `api/response` shows it. */
const address = 'https://desk.mock/api';

export type Stored = Native & { id: string };

/** The records of a collection, filled with the dataset at the first use. */
export async function collection(call: MockCall, name: string): Promise<Stored[]> {
  await call.records.seed(dataset);
  return (await call.records.all(name)) as Stored[];
}

/** The records that belong to a ticket. @throws ApiError 404 when there is no such ticket. */
export async function ofTicket(call: MockCall, name: string): Promise<Stored[]> {
  const { id } = await ticketOf(call);
  // A list of attachments does not load the files.
  return (await call.records.of(name, { field: 'ticket', id }, 'content')) as Stored[];
}

/** The ticket of the path. @throws ApiError 404 */
export async function ticketOf(call: MockCall): Promise<Stored> {
  await call.records.seed(dataset);
  const id = call.path['ticketId'] ?? '';
  const ticket = await call.records.find('tickets', id);
  if (ticket === undefined) throw notFound('ticket', id);
  return ticket as Stored;
}

/** One record that belongs to the ticket of the path. @throws ApiError 404 */
export async function partOf(call: MockCall, name: string, id = ''): Promise<Stored> {
  const ticket = await ticketOf(call);
  const record = await call.records.find(name, id);
  if (record === undefined || record['ticket'] !== ticket.id) throw notFound('record', id);
  return record as Stored;
}

export function newId(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 13)}`;
}

export function now(call: MockCall): string {
  return new Date(call.clock.now()).toISOString();
}

/** Tells the meta functions what the mock answered. */
export function answered<T>(call: MockCall, path: string, answer: T): T {
  call.answered(`${address}${path}`, () => JSON.stringify(answer), true);
  return answer;
}

/** A record with what was written before replaced by what is written now, so that a removed field is gone. */
export function patchedRecord(
  native: Native,
  { before, after }: { before: Native; after: Native },
): Native {
  const rest = Object.entries(native).filter(([key]) => !Object.hasOwn(before, key));
  return { ...Object.fromEntries(rest), ...after };
}
