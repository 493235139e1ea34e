import { createConnection } from 'node:net';

// A spec that needs PostgreSQL or NATS asks jest's main process for it, over a socket whose path is in the environment.
// The first question starts the service, so a run that needs none (`npm test -- libs/mapping`) does not pay for one.

export type ServiceName = 'postgres' | 'nats';
/** Where workers find the socket. */
export const variable = 'ONEFOLD_TEST_SERVICES';

/** The URL of the run's PostgreSQL (with rights to create databases) or NATS. */
export async function askForService(name: ServiceName): Promise<string> {
  const path = process.env[variable];
  if (path === undefined)
    throw new Error(
      `${variable} is not set: specs that need ${name} run under jest with jest.config.js (npm test -- <path>)`,
    );
  const socket = createConnection(path);
  socket.write(name);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = JSON.parse(Buffer.concat(chunks).toString()) as { url?: string; error?: string };
  if (answer.url === undefined) throw new Error(answer.error ?? `${name} did not start`);
  return answer.url;
}

/** The URL of the NATS that all specs of a run share; use subjects of your own. */
export function testNatsUrl(): Promise<string> {
  return askForService('nats');
}
