import { Agent, request } from 'undici';
import { type OperationId, type Operation } from '#contract';

/** A response with its unparsed text. */
export interface Sent {
  status: number;
  text: string;
  /** The `result` of the response. */
  result: unknown;
}

export interface Request {
  path: Record<string, string>;
  query?: Record<string, string | string[]>;
  body?: unknown;
}

/** Requests in flight: while one waits for the database or its audit record, the others keep the processor busy. */
const maxInFlight = 64;
const connections = new Agent({ connections: maxInFlight });
let addresses = 0;

/** Sends a request. Each comes from a different address, so that no rate limit is reached. */
export async function send(
  service: { url: string },
  operation: Operation,
  { path, query = {}, body }: Request,
  token: string | undefined,
): Promise<Sent> {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? `no-${name}`),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((one): [string, string] => [name, one]),
    ),
  );
  if (operation.tokenInQuery && token !== undefined) search.set('token', token);
  addresses += 1;
  // There are tens of thousands of requests, and undici's request needs half the time of fetch.
  const response = await request(`${service.url}${filled}?${search.toString()}`, {
    method: operation.method,
    dispatcher: connections,
    headers: {
      'x-forwarded-for': `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    text,
    result: response.statusCode === 200 ? resultOf(text) : undefined,
  };
}

/** Runs work on every item, many at a time. */
export async function each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: maxInFlight }, next));
}

/** Returns the path parameters of an operation that contain an id. */
export function idParameters({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => /(?:Id|_id|Uid|^id)$/.test(name));
}

/** Returns the operation of the same path that reads what the given one writes. */
export function readerOf(
  operation: Operation,
  operations: ReadonlyMap<OperationId, Operation>,
): Operation | undefined {
  return [...operations.values()].find(
    ({ path, method, side }) =>
      path === operation.path && method === 'GET' && side === operation.side,
  );
}

function resultOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { result?: unknown }).result;
  } catch {
    return undefined;
  }
}
