import type { Value } from '@onefold/mapping';
import type { ReadRequest } from './messages.js';

/** Reads multipart/form-data: fields as texts, files as `{filename, type, content}`; undefined when it is not valid. */
export async function readMultipart({
  headers,
  body = new Uint8Array(),
}: ReadRequest): Promise<Record<string, Value> | undefined> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (form === undefined) return undefined;
  const fields: Record<string, Value> = {};
  for (const [name, value] of form)
    fields[name] =
      typeof value === 'string'
        ? value
        : {
            filename: value.name,
            type: value.type,
            content: new Uint8Array(await value.arrayBuffer()),
          };
  return fields;
}
