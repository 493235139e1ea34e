import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

/** Reads what a process answers on this machine or in the network of the operator, who names the address. */
export async function readText(url: URL): Promise<string> {
  const request = get(url, { signal: AbortSignal.timeout(timeoutMs) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`${url.host} answers more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
