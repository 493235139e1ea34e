import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from './vendor.js';

/** Larger than the requests that any vendor accepts. */
const maxBytes = 32 * 1024 * 1024;

export async function readBytes(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk); // The rest is read and dropped, so that the client reads the response.
  }
  return size > maxBytes ? 'too large' : Buffer.concat(chunks);
}

export interface ReadBody {
  json: unknown;
  files: UploadedFile[];
  malformed: boolean;
}

/** Decodes the bytes by their content type. */
export async function readBody(type: string | undefined, bytes: Buffer): Promise<ReadBody> {
  const nothing = { json: undefined, files: [], malformed: false };
  if (bytes.length === 0) return nothing;
  const media = mediaType(type);
  if (media === 'multipart/form-data')
    return { ...nothing, files: await readFiles(type ?? '', bytes) };
  if (media !== 'application/json' && !media?.endsWith('+json')) return nothing;
  try {
    return { ...nothing, json: JSON.parse(bytes.toString()) as unknown };
  } catch {
    return { ...nothing, malformed: true };
  }
}

export function mediaType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}

async function readFiles(type: string, bytes: Buffer): Promise<UploadedFile[]> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  const files: UploadedFile[] = [];
  for (const [field, value] of form ?? []) {
    if (typeof value === 'string') continue;
    const content = Buffer.from(await value.arrayBuffer());
    files.push({ field, name: value.name, type: value.type, content });
  }
  return files;
}
