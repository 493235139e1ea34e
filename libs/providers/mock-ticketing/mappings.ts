import { readFileSync } from 'node:fs';
import { mappingDocument, type Native } from '#connect';

function bring(name: string): (record: Native) => unknown {
  const source = readFileSync(new URL(`./mappings/${name}.yaml`, import.meta.url), 'utf8');
  return mappingDocument('default:0', source);
}

// `default:0` of each kind of record: documents like the ones customers write.
export const ticket = bring('ticket');
export const ticketRequest = bring('ticket-request');
export const text = bring('text');
export const textRequest = bring('text-request');
export const attachment = bring('attachment');
export const attachmentFile = bring('attachment-file');
export const remoteField = bring('remote-field');
export const project = bring('project');
export const agent = bring('agent');
