import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

// A spec that needs PostgreSQL or NATS requests it from jest's main process, over a socket whose path is in the environment.
// The first request starts the service, so a run that needs none (`npm test -- libs/mapping`) does not start any.

export type ServiceName = 'postgres' | 'template' | 'nats' | 'standalone' | 'chromium';
/** The facts of a service that a spec needs. */
export interface ServiceFacts {
  url: string;
  /** The database of a standalone Onefold. */
  databaseUrl?: string;
  /** Its key file. */
  keyFile?: string;
  /** The file with its output. */
  log?: string;
}

/** Environment variable with the path of the socket. */
export const variable = 'ONEFOLD_TEST_SERVICES';

/** Returns the URL of the run's PostgreSQL, as a user who may create databases, of its database with empty tables, or of its NATS. */
export async function askForService(name: ServiceName): Promise<string> {
  return (await askForFacts(name)).url;
}

/** Returns the facts of a service that all specs of the run share. */
export async function askForFacts(name: ServiceName): Promise<ServiceFacts> {
  const path = process.env[variable];
  if (path === undefined)
    throw new Error(
      `${variable} is not set: specs that need ${name} must run under jest with jest.config.js (npm test -- <path>)`,
    );
  const socket = createConnection(path);
  socket.write(name);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const response = JSON.parse(Buffer.concat(chunks).toString()) as {
    facts?: ServiceFacts;
    error?: string;
  };
  if (response.facts === undefined) throw new Error(response.error ?? `${name} did not start`);
  return response.facts;
}

/** Returns the folder of the run, where specs may put data: it is removed at the end, and is in memory where there is room. */
export function runFolder(): string {
  const path = process.env[variable];
  return path === undefined ? tmpdir() : dirname(path);
}

/** Returns the URL of the NATS that all specs of a run share; each spec must use its own subjects. */
export function testNatsUrl(): Promise<string> {
  return askForService('nats');
}
