import { randomBytes } from 'node:crypto';
import { type Onefold, startOnTestDatabase } from '../../e2e/onefold.js';
import { isInstalled, type ProxyName, startProxy } from './proxies.js';
import { type HandledRequest, type Outcome, sendOddRequests } from './send-odd-requests.js';

/** The gateway alone, whose client reads strictly, or behind a proxy, which reads as it does. */
export const fronts = ['alone', 'nginx', 'haproxy'] as const;
export type Front = (typeof fronts)[number];

export const isMissing = (front: Front) => front !== 'alone' && !isInstalled(front);

/** Starts a service, with a proxy in front where one is named, and sends it odd requests. */
export async function smuggle(
  front: Front,
  plan: { seed: number; first?: number; count: number },
): Promise<Outcome> {
  const onefold = await startOnTestDatabase({ LOG_LEVEL: 'debug', PROXY_HOPS: '1' });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await onefold.stop();
    isRunning = false;
  };
  const token = onefold.api.headers['authorization']?.replace('Bearer ', '') ?? '';
  const ofItsStart = readHandled(onefold).length; // It fills a new database over its own API.
  const handled = async () => {
    await stop(); // Its log is complete then.
    return readHandled(onefold).slice(ofItsStart);
  };
  const proxy = front === 'alone' ? undefined : await startTracing(front, onefold.api.url);
  try {
    const target = { url: onefold.api.url, handled, ...proxy };
    return await sendOddRequests(target, { ...plan, token });
  } finally {
    await proxy?.stop();
    await stop();
  }
}

async function startTracing(name: ProxyName, url: string) {
  const traceId = randomBytes(16).toString('hex'); // Nobody who sends odd requests knows it.
  return { ...(await startProxy(name, url, traceId)), traceId };
}

/** Reads all requests from the log of the gateway. */
function readHandled({ processes }: Onefold): HandledRequest[] {
  const lines = Object.values(processes).flatMap(({ output }) => output().split('\n'));
  const field = (line: string, name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(line)?.[1];
  return lines
    .filter((line) => line.includes('"message":"request"'))
    .map((line) => ({ id: field(line, 'request_id') ?? '', traceId: field(line, 'trace_id') }));
}
