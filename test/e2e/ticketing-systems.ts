import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OperationId } from '#contract';
import type { Client } from './client.js';
import {
  createRedmineProject,
  type Redmine,
  redmine,
  type SendToRedmine,
  startSimulator,
} from '#test/harness';

/** Ticketing system, with the data that the walk needs. */
export interface TicketingSystem {
  name: string;
  /** The reason why it is not available. */
  skipped?: string;
  start: () => Promise<RunningSystem>;
  /** Returns the bridge group that its integration selects; without it, calls go directly. */
  bridge?: (api: Client, accountId: string) => Promise<{ type: 'id'; value: string }>;
  /** Unsupported operations, each with the reason. */
  without: Partial<Record<OperationId, string>>;
  /** Fields of a new ticket beside name and summary. */
  body: Record<string, unknown>;
  /** A status that a ticket may have. */
  closed: string;
  /** Status of the response for an unknown record. */
  nobody: string;
}

export interface RunningSystem {
  config: { type: string } & Record<string, unknown>;
  /** Text that responses must not contain; absent if there is none. */
  secret?: string;
  /** Creates further tickets, faster than the API would. */
  seed?: (count: number) => Promise<void>;
  /** Violations of the vendor's description. */
  violations: () => Promise<unknown[]>;
  stop: () => Promise<void>;
}

/** Content of `walk.yaml` in a provider's folder; the walk runs over the simulator of every provider that has one. */
interface Walk {
  /** Configuration of the integration, without the address of the simulator. */
  configuration: { type: string; credential: { secret: string } } & Record<string, unknown>;
  ticket?: Record<string, unknown>;
  closed: string;
  nobody: string;
  /** Operations by reason. */
  without?: Record<string, OperationId[]>;
}

const providers = new URL('../../libs/providers/', import.meta.url);

/** Every provider whose folder has a simulator and a walk. */
const simulated: TicketingSystem[] = readdirSync(providers)
  .filter(
    (folder) =>
      existsSync(new URL(`${folder}/walk.yaml`, providers)) &&
      existsSync(new URL(`../simulators/${folder}/main.js`, import.meta.url)),
  )
  .map((folder) => {
    const read = (file: string) =>
      parse(readFileSync(new URL(`${folder}/${file}`, providers), 'utf8')) as unknown;
    const { configuration, ticket = {}, closed, nobody, without = {} } = read('walk.yaml') as Walk;
    return {
      name: (read('provider.yaml') as { fullname: string }).fullname,
      start: async () => {
        const simulator = await startSimulator(folder);
        const config = { ...configuration, url: simulator.url };
        return { ...simulator, config, secret: configuration.credential.secret };
      },
      body: ticket,
      closed,
      nobody,
      without: Object.fromEntries(
        Object.entries(without).flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
      ),
    };
  });

const server = redmine();

/** Walks in a new project of a Redmine. @param send the way to one that this process does not reach */
export async function startInRedmine(
  { url, apiKey }: Exclude<Redmine, { skipped: string }>,
  send?: SendToRedmine,
): Promise<RunningSystem> {
  const project = await createRedmineProject({ url, apiKey }, send);
  return {
    config: {
      ...{ type: 'ticketing_redmine', url, default_project: project.identifier },
      credential: { type: 'token', secret: apiKey },
    },
    secret: apiKey,
    violations: () => Promise.resolve([]),
    stop: project.drop,
  };
}

/** A real Redmine. */
export const realRedmine: TicketingSystem = {
  name: 'Redmine',
  ...('skipped' in server ? { skipped: server.skipped } : {}),
  start: () => {
    if ('skipped' in server) throw new Error(server.skipped);
    return startInRedmine(server);
  },
  without: {
    ticketing_query_escalation_policies: 'it has nobody on call',
    ticketing_list_on_call: 'it has nobody on call',
  },
  body: {},
  closed: 'Closed',
  nobody: '999999',
};

/** The built-in mock. */
const mock: TicketingSystem = {
  name: 'the mock',
  start: () =>
    Promise.resolve({
      config: { type: 'ticketing_mock_ticketing' },
      violations: () => Promise.resolve([]),
      stop: () => Promise.resolve(),
    }),
  without: {},
  body: { priority: 'HIGH' },
  closed: 'closed',
  nobody: 'ITS-999999',
};

/** All systems of the walk. */
export const ticketingSystems: readonly TicketingSystem[] = [mock, ...simulated, realRedmine];
