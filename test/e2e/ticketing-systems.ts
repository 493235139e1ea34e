import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OperationId } from '#contract';
import { createRedmineProject, redmine, startSimulator } from '#test/harness';

/** A system that tickets are kept in, and what the walk has to know of it. */
export interface TicketingSystem {
  name: string;
  /** Why it is not there, where it is not. */
  skipped?: string;
  start: () => Promise<RunningSystem>;
  /** Operations that it does not offer, each with the reason. */
  without: Partial<Record<OperationId, string>>;
  /** What a ticket may be created with beside name and summary. */
  body: Record<string, unknown>;
  /** A status that a ticket may be given. */
  closed: string;
  /** The status of what does not exist. */
  nobody: string;
}

export interface RunningSystem {
  config: { type: string } & Record<string, unknown>;
  /** What must never be seen in an answer; absent where there is nothing to keep. */
  secret?: string;
  /** Makes more tickets, faster than the API would. */
  seed?: (count: number) => Promise<void>;
  /** What was against the vendor's description. */
  violations: () => Promise<unknown[]>;
  stop: () => Promise<void>;
}

/** What `walk.yaml` in a provider's folder says; a provider that has one is walked over, by its simulator. */
interface Walk {
  /** Of the integration, without the address of the simulator. */
  configuration: { type: string; credential: { secret: string } } & Record<string, unknown>;
  ticket?: Record<string, unknown>;
  closed: string;
  nobody: string;
  /** By reason. */
  without?: Record<string, OperationId[]>;
}

const providers = new URL('../../libs/providers/', import.meta.url);

/** Every provider whose folder has a simulator and says what the walk has to know. */
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

const realRedmine: TicketingSystem = {
  name: 'Redmine',
  ...('skipped' in server ? { skipped: server.skipped } : {}),
  start: async () => {
    if ('skipped' in server) throw new Error(server.skipped);
    const project = await createRedmineProject(server);
    return {
      config: {
        type: 'ticketing_redmine',
        url: server.url,
        default_project: project.identifier,
        credential: { type: 'token', secret: server.apiKey },
      },
      secret: server.apiKey,
      violations: () => Promise.resolve([]),
      stop: project.drop,
    };
  },
  without: {
    ticketing_query_escalation_policies: 'it has nobody on call',
    ticketing_list_on_call: 'it has nobody on call',
  },
  body: {},
  closed: 'Closed',
  nobody: '999999',
};

/** The one that is built in and outside of nothing. */
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

/** Everything that the walk goes over. */
export const ticketingSystems: readonly TicketingSystem[] = [mock, ...simulated, realRedmine];
