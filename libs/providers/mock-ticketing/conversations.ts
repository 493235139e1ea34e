import { badRequest, notFound } from '#contract';
import {
  answered,
  newId,
  now,
  ofTicket,
  partOf,
  patchedRecord,
  type Stored,
  ticketOf,
} from './desk.js';
import { attachment, attachmentFile, comment, note, textRequest } from './mappings.js';
import type { MockOperation, MockOperations } from './mock-operation.js';

const comments = { resource: 'comments', ...comment, request: textRequest };
const notes = { resource: 'notes', ...note, request: textRequest };
const attachments = { resource: 'attachments', ...attachment };
const mostAttachmentBytes = 5_000_000;

/** Comments, notes and attachments of tickets. */
export const conversationOperations: MockOperations = {
  ticketing_list_comments: { ...comments, action: 'query', run: list('comments') },
  ticketing_create_comment: { ...comments, action: 'create', run: create('comments', 'c') },
  ticketing_delete_comment: remove('comments', 'commentId'),

  ticketing_list_notes: { ...notes, action: 'query', run: list('notes') },
  ticketing_create_note: { ...notes, action: 'create', run: create('notes', 'n') },
  ticketing_delete_note: remove('notes', 'noteId'),
  ticketing_patch_note: {
    ...notes,
    action: 'patch',
    readOnly: ['id', 'ticket_id', 'creator', 'created_at', 'updated_at'],
    run: async (call) => {
      const { id } = await partOf(call, 'notes', call.path['noteId']);
      const made = await call.records.change('notes', id, (native) => ({
        ...patchedRecord(native, call.patch(native)),
        id,
        changed: now(call),
      }));
      if (made === undefined) throw notFound('record', id);
      return { record: answered(call, `/notes/${id}`, made) };
    },
  },

  ticketing_list_attachments_metadata: {
    ...attachments,
    action: 'query',
    run: list('attachments'),
  },
  ticketing_create_attachment: {
    ...attachments,
    action: 'create',
    run: async (call) => {
      const ticket = await ticketOf(call);
      const { file_name: name, content } = call.body();
      const encoded = String(content);
      const bytes = Buffer.from(encoded, 'base64');
      if (bytes.length > mostAttachmentBytes)
        throw badRequest({
          location: 'body',
          pointer: '/content',
          message: `has ${bytes.length} bytes, the provider takes ${mostAttachmentBytes}`,
        });
      const made: Stored = {
        id: newId('f'),
        ticket: ticket.id,
        name,
        type: typeOf(String(name)),
        size: bytes.length,
        content: encoded,
        author: 'api',
        at: now(call),
      };
      await call.records.insert('attachments', made);
      return { record: answered(call, `/tickets/${ticket.id}/attachments`, made) };
    },
  },
  ticketing_download_attachment: {
    ...attachments,
    ...attachmentFile,
    action: 'read',
    run: async (call) => {
      const file = await partOf(call, 'attachments', call.path['attachmentId']);
      return { record: answered(call, `/attachments/${file.id}`, file) };
    },
  },
  ticketing_delete_attachment: remove('attachments', 'attachmentId'),
};

function list(name: string): MockOperation['run'] {
  return async (call) => ({
    records: answered(
      call,
      `/tickets/${call.path['ticketId']}/${name}`,
      await ofTicket(call, name),
    ),
  });
}

function create(name: string, prefix: string): MockOperation['run'] {
  return async (call) => {
    const ticket = await ticketOf(call);
    const made: Stored = {
      author: 'api',
      ...call.body(),
      id: newId(prefix),
      ticket: ticket.id,
      at: now(call),
    };
    await call.records.insert(name, made);
    return { record: answered(call, `/tickets/${ticket.id}/${name}`, made) };
  };
}

function remove(resource: string, parameter: string): MockOperation {
  return {
    resource,
    action: 'delete',
    run: async (call) => {
      const { id } = await partOf(call, resource, call.path[parameter]);
      await call.records.delete(resource, id);
      return { none: true };
    },
  };
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
};

function typeOf(name: string): string {
  return types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
