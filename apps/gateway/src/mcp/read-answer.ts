import type { BusReply } from '#bus';
import { ApiError, type Problem } from '#contract';

/** Bytes of an answer that are read: of JSON before it is cut, and of a file. */
export const maxReadBytes = 8 * 1_048_576;

/** Reads the body of a reply. @throws ApiError 413 if it is longer than a tool returns */
export async function readBytesOf({ body }: BusReply, maxBytes = maxReadBytes): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) {
    if (body.length > maxBytes) throw tooLong(maxBytes);
    return Buffer.from(body);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw tooLong(maxBytes); // leaving the loop ends the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the JSON of a reply that succeeded. @throws ApiError that of the reply if it failed, 413 */
export async function readSuccess(reply: BusReply): Promise<unknown> {
  const answer = await readAnswer(reply);
  if (reply.status < 400) return answer;
  const { message, remediation } = answer as Problem;
  throw new ApiError(reply.status, message, remediation ? { remediation } : {});
}

/** Reads the JSON of a reply; undefined if it has no body. @throws ApiError 413 */
export async function readAnswer(reply: BusReply): Promise<unknown> {
  const bytes = await readBytesOf(reply);
  return bytes.length === 0 ? undefined : (JSON.parse(bytes.toString()) as unknown);
}

function tooLong(maxBytes: number): ApiError {
  return new ApiError(413, `the answer is longer than ${maxBytes} bytes`, {
    remediation: 'Ask for fewer rows with limit, or read it with a program.',
  });
}
