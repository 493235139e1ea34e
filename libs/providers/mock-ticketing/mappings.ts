import { readFileSync } from 'node:fs';
import { customerMapping, type ProviderRecord } from '#connect';
import { type CompiledDocument, compileDocument } from '@onefold/mapping';

/** The mapping documents by name, for the operation that tries mappings. */
export const documents: ReadonlyMap<string, CompiledDocument> = new Map(
  [
    'agent',
    'attachment',
    'attachment-file',
    'project',
    'remote-field',
    'text',
    'text-request',
    'ticket',
    'ticket-request',
  ].map((name) => [name, compileDocument(read(name))]),
);

interface Shown {
  response: (record: ProviderRecord) => unknown;
  /** Fields that the mapping assigns. */
  responseFields: string[];
}

function request(name: string): (record: ProviderRecord) => unknown {
  return customerMapping('default:0', read(name));
}

function shown(name: string): Shown {
  return { response: request(name), responseFields: documents.get(name)?.fields() ?? [] };
}

function read(name: string): string {
  return readFileSync(new URL(`./mappings/${name}.yaml`, import.meta.url), 'utf8');
}

// `default:0` of each kind of record: documents such as customers write.
export const ticket = shown('ticket');
export const ticketRequest = request('ticket-request');
export const note = shown('text');
/** Maps a note without a title. */
export const comment = {
  ...note,
  responseFields: note.responseFields.filter((field) => field !== 'title'),
};
export const textRequest = request('text-request');
export const attachment = shown('attachment');
export const attachmentFile = shown('attachment-file');
export const remoteField = shown('remote-field');
export const project = shown('project');
export const agent = shown('agent');
