import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OperationId } from '#contract';
import type { Client } from './client.js';
import {
  createRedmineProject,
  type Redmine,
  redmine,
  type SendToRedmine,
  startFake,
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
  unknownId: string;
}

export interface RunningSystem {
  config: { type: string } & Record<string, unknown>;
  /** Text that responses must not contain; absent if there is none. */
  secret?: string;
  /** Faults of a fake, and violations of the vendor's description. */
  violations: () => unknown[] | Promise<unknown[]>;
  stop: () => Promise<void>;
}

/** Content of `walk.yaml` in a provider's folder; the walk runs over the fake of every provider that has one. */
interface Walk {
  ticket?: Record<string, unknown>;
  closed: string;
  unknown_id: string;
}

/** Keys of a document for all its providers, or for one of them. */
interface Described {
  fullname?: string;
  unsupported?: TicketingSystem['without'];
}

const providers = new URL('../../libs/providers/', import.meta.url);

/** Times that the company is there, so that lists have more tickets than the largest page of these vendors, which is 100. */
const scale = 4;

/** Every provider whose folder has a walk, over its fake. */
const overFakes: TicketingSystem[] = readdirSync(providers)
  .filter((folder) => existsSync(new URL(`${folder}/walk.yaml`, providers)))
  .map((folder) => {
    const read = (file: string) =>
      parse(readFileSync(new URL(`${folder}/${file}`, providers), 'utf8')) as unknown;
    const { ticket = {}, closed, unknown_id: unknownId } = read('walk.yaml') as Walk;
    const { providers: entries = {}, ...shared } = read('provider.yaml') as Described & {
      providers?: Record<string, Described>;
    };
    const [own = {}] = Object.entries(entries).flatMap(([type, entry]) =>
      type.startsWith('ticketing_') ? [entry] : [],
    );
    return {
      name: own.fullname ?? shared.fullname ?? folder,
      start: async () => {
        const { configuration, violations, stop } = await startFake(folder, { scale });
        const config = configuration();
        return { config, secret: secretOf(config), violations, stop };
      },
      body: ticket,
      closed,
      unknownId,
      without: { ...shared.unsupported, ...own.unsupported },
    };
  });

function secretOf({ credential }: Record<string, unknown>): string {
  return (credential as { secret: string }).secret;
}

const server = redmine();

/** Walks in a new project of a Redmine. @param send the way to one that this process does not reach */
export async function startInRedmine(
  { url, apiKey }: Exclude<Redmine, { skipped: string }>,
  send?: SendToRedmine,
): Promise<RunningSystem> {
  const project = await createRedmineProject({ url, apiKey }, send);
  return {
    config: {
      type: 'ticketing_redmine',
      url,
      default_project: project.identifier,
      credential: { type: 'token', secret: apiKey },
    },
    secret: apiKey,
    violations: () => [],
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
  unknownId: '999999',
};

/** The built-in mock. */
const mock: TicketingSystem = {
  name: 'the mock',
  start: () =>
    Promise.resolve({
      config: { type: 'ticketing_mock_ticketing' },
      violations: () => [],
      stop: () => Promise.resolve(),
    }),
  without: {},
  body: { priority: 'HIGH' },
  closed: 'closed',
  unknownId: 'ITS-999999',
};

/** All systems of the walk. */
export const ticketingSystems: readonly TicketingSystem[] = [mock, ...overFakes, realRedmine];
