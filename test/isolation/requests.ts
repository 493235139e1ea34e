import { Agent, request } from 'undici';
import { type OperationId, type Operation } from '#contract';

/** What came back, as it came. */
export interface Sent {
  status: number;
  text: string;
  /** The answer's `result`. */
  result: unknown;
}

export interface Request {
  path: Record<string, string>;
  query?: Record<string, string | string[]>;
  body?: unknown;
}

const connections = new Agent({ connections: 16 });
let addresses = 0;

/** Sends a request of any shape. Each comes from an address of its own, so that no brake is reached. */
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
  addresses += 1;
  // A plain request of undici takes half of what fetch does, and there are tens of thousands.
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

/** Runs work on every item, some at a time. */
export async function each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, next));
}

/** The parameters of an operation's path that hold an id. */
export function idParameters({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => /(?:Id|_id|Uid|^id)$/.test(name));
}

/** The operation of the same path that reads what another one writes. */
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
