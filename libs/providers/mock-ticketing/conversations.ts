import { ApiError, notFound } from '#contract';
import {
  recordResponse,
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
const maxAttachmentBytes = 26_214_400;

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
    current: (mock) => partOf(mock, 'notes', mock.call.path['noteId']),
    run: async (mock) => {
      const { id } = await partOf(mock, 'notes', mock.call.path['noteId']);
      const made = await mock.records.change('notes', id, (native) => ({
        ...patchedRecord(native, mock.request.change),
        id,
        changed: now(mock),
      }));
      if (made === undefined) throw notFound('record', id);
      return { record: recordResponse(mock, `/notes/${id}`, made) };
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
    run: async (mock) => {
      const ticket = await ticketOf(mock);
      const { file_name: name, content } = mock.request.body ?? {};
      const encoded = String(content);
      const bytes = Buffer.from(encoded, 'base64');
      if (bytes.length > maxAttachmentBytes)
        throw new ApiError(413, `the attachment has ${bytes.length} bytes`, {
          remediation: `The provider takes at most ${maxAttachmentBytes}.`,
        });
      const made: Stored = {
        id: newId('f'),
        ticket: ticket.id,
        name,
        type: typeOf(String(name)),
        size: bytes.length,
        content: encoded,
        author: 'api',
        at: now(mock),
      };
      await mock.records.insert('attachments', made);
      return { record: recordResponse(mock, `/tickets/${ticket.id}/attachments`, made) };
    },
  },
  ticketing_download_attachment: {
    ...attachments,
    ...attachmentFile,
    action: 'read',
    run: async (mock) => {
      const file = await partOf(mock, 'attachments', mock.call.path['attachmentId']);
      return { record: recordResponse(mock, `/attachments/${file.id}`, file) };
    },
  },
  ticketing_delete_attachment: remove('attachments', 'attachmentId'),
};

function list(name: string): MockOperation['run'] {
  return async (mock) => ({
    records: recordResponse(
      mock,
      `/tickets/${mock.call.path['ticketId']}/${name}`,
      await ofTicket(mock, name),
    ),
  });
}

function create(name: string, prefix: string): MockOperation['run'] {
  return async (mock) => {
    const ticket = await ticketOf(mock);
    const made: Stored = {
      author: 'api',
      ...mock.request.body,
      id: newId(prefix),
      ticket: ticket.id,
      at: now(mock),
    };
    await mock.records.insert(name, made);
    return { record: recordResponse(mock, `/tickets/${ticket.id}/${name}`, made) };
  };
}

function remove(resource: string, parameter: string): MockOperation {
  return {
    resource,
    action: 'delete',
    run: async (mock) => {
      const { id } = await partOf(mock, resource, mock.call.path[parameter]);
      await mock.records.delete(resource, id);
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
