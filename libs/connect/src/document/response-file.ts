import { create, parse } from 'content-disposition';
import type { Value } from '@onefold/mapping';
import type { SentResponse } from '#provider-http';
import type { ProviderFile } from '../provider.js';

const anyType = 'application/octet-stream';
const mediaType =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(\s*;\s*[\w!#$&^.+-]+=("[^"\r\n]*"|[^\s;"]+))*$/;
const contentRange = /^bytes \d{1,15}-\d{1,15}\/(\d{1,15}|\*)$/;
const maxNameLength = 255;

/**
 * Passes on a response as a file, or as the range of it that was asked for. Bytes, length, coding and ETag are the provider's; type and name are those of the document, or else the
 * provider's.
 * @param named `{filename, type}` of the document
 */
export function responseFile(
  { status, headers, stream }: SentResponse,
  named: Value,
): ProviderFile {
  const { filename, type } = (named ?? {}) as { filename?: unknown; type?: unknown };
  const given = [type, headers['content-type']].find(
    (one): one is string => typeof one === 'string' && mediaType.test(one),
  );
  const name =
    typeof filename === 'string' && filename !== ''
      ? filename
      : nameIn(headers['content-disposition']);
  const length = headers['content-length'];
  const coding = headers['content-encoding'];
  const { etag } = headers;
  const range = headers['content-range'];
  const isPart = status === 206 && range !== undefined && contentRange.test(range);
  return {
    status: isPart ? 206 : 200,
    content: stream as AsyncIterableIterator<Uint8Array>,
    headers: {
      'content-type': given ?? anyType,
      'content-disposition': create(name === undefined ? undefined : plain(name)),
      ...(isPart ? { 'content-range': range } : {}),
      ...(isPart || headers['accept-ranges'] === 'bytes' ? { 'accept-ranges': 'bytes' } : {}),
      ...(length !== undefined && /^\d{1,15}$/.test(length) ? { 'content-length': length } : {}),
      ...(etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? { etag } : {}),
      ...(coding !== undefined && /^[\w, ]{1,50}$/.test(coding)
        ? { 'content-encoding': coding }
        : {}),
    },
  };
}

function nameIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { filename } = parse(header).parameters;
  return filename === '' ? undefined : filename;
}

/** Returns the last part of a path without invisible characters. */
function plain(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/\p{C}/gu, '').slice(0, maxNameLength) || 'file';
}
