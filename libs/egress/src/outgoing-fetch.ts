import { type Dispatcher, request } from 'undici';

const maxBytes = 1_048_576;

/** The `fetch` that libraries of OAuth and OpenID Connect take. */
export type OutgoingFetch = (
  url: string,
  options: {
    method: string;
    headers: Record<string, string>;
    body?: unknown;
    signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/**
 * Returns a `fetch` for libraries that speak to authorization servers: through the dispatcher of the egress policy, without redirects and
 * with a limited response. It throws a TypeError whose cause is what went wrong.
 */
export function outgoingFetch(dispatcher: Dispatcher): OutgoingFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await send(url, {
      dispatcher,
      method: method,
      headers,
      body:
        body instanceof URLSearchParams ? body.toString() : ((body as string | undefined) ?? null),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await readText(answer.body, url);
    return new Response(answer.statusCode === 204 ? null : text, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    });
  };
}

/** Throws a TypeError as `fetch` does: callers distinguish a failed call from a wrong response by that. */
async function send(url: string, options: Parameters<typeof request>[1]) {
  try {
    return await request(url, options);
  } catch (cause) {
    throw new TypeError(`the call of ${new URL(url).host} failed`, { cause });
  }
}

async function readText(body: AsyncIterable<Uint8Array>, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes)
      throw new TypeError(`${new URL(url).host} returned more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
