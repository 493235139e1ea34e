import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type OperationId, operations } from '#contract';
import type { Client } from '../e2e/client.js';
import { expect } from 'expect'; // without Jest too, as walk-client.ts
import { WalkClient } from './walk-client.js';
import { readMockSteps, type Step, type WalkCaller, Walker } from '#apps/provider-kit';

/** Valid input of the operations of a mock, in the order in which they are called on a new integration. */
export interface MockWalk {
  /** The id of the mock, such as `edr_crowdstrike_mock`. */
  type: string;
  /** The vendor's folder in libs/providers. */
  folder: string;
  domain: string;
  steps: Step[];
}

const providers = new URL('../../libs/providers/', import.meta.url);

/** The walks of all mocks, from `mocks.yaml` in the vendors' folders. */
export const mockWalks: readonly MockWalk[] = readdirSync(providers)
  .map((folder) => ({ folder, file: new URL(`${folder}/mocks.yaml`, providers) }))
  .filter(({ file }) => existsSync(file))
  .flatMap(({ folder, file }) => {
    const walks = readMockSteps(readFileSync(file, 'utf8'));
    return Object.entries(walks).map(([type, steps]) => ({
      type,
      folder,
      steps,
      domain: type.split('_')[0] ?? '',
    }));
  });

/** Lists without a second page, because the company has one row there, by mock. */
const withoutSecondPage: Readonly<Record<string, readonly OperationId[]>> = {
  // Its integrations are of one project each.
  ticketing_azure_devops_mock: ['ticketing_list_projects'],
  // Its integrations are of one repository each.
  ticketing_github_mock: ['ticketing_list_projects'],
  // The site has one service project.
  ticketing_jira_service_management_mock: ['ticketing_list_projects'],
  // Alerts of the company have a comment at most.
  edr_defender_mock: ['edr_get_threat_notes'],
  edr_sentinelone_mock: ['edr_get_threat_notes'],
  // A code repository has one type of scan.
  appsec_amazon_inspector_mock: ['appsec_query_application_scans'],
  // A repository has a scan that was imported.
  appsec_servicenow_mock: ['appsec_query_application_scans'],
};

/** Groups whose operations other suites call: tickets have a walk over many systems, jobs are no provider's operations, and mocks send no messages. */
const elsewhere = ['ticketing', 'storage', 'operations', 'hooks', 'integrationWebhooks'];

/** The served operations that a mock has to serve. */
export const operationsOfMocks: readonly OperationId[] = [...operations.values()]
  .filter(({ side, state }) => side === 'connector' && state === 'served')
  .filter(({ group }) => !elsewhere.includes(group))
  .map(({ id }) => id);

/** The suites that attack and isolate have a custom document of their own for the operations of `custom`. */
const ofDomains = mockWalks.filter(({ domain }) => domain !== 'custom');

/** The first mock of each domain, which stands for the domain where one is enough. */
export const mockByDomain: ReadonlyMap<string, MockWalk> = new Map(
  [...ofDomains].reverse().map((walk) => [walk.domain, walk]),
);

/** Returns the first mock whose walk calls an operation with success, and that step; undefined for an operation that no mock serves. */
export function mockOf(id: OperationId): { walk: MockWalk; step: Step } | undefined {
  for (const walk of ofDomains) {
    const step = walk.steps.find(({ call, refused }) => call === id && refused === undefined);
    if (step !== undefined) return { walk, step };
  }
  return undefined;
}

/** Configuration of an integration. Contracts of listed mocks require the dataset. */
export function configurationOf({ type }: MockWalk): { type: string; dataset: string } {
  return { type, dataset: 'basic_v0' };
}

/** Runs a walk on a new integration. @returns the ids that its steps used, by path parameter; later ones replace earlier ones */
export async function runMockWalk(
  client: WalkCaller,
  { type, steps }: MockWalk,
  unique: string,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const walker = new Walker(client, {
    values: { unique },
    offers: () => true,
    hasProvider: true,
    onPath: (path) => Object.assign(ids, path),
  });
  await walker.run({ name: type, steps });
  return ids;
}

/** Runs a walk on a new integration, holds all records against the lint of OCSF, and reads the second page of each list that it calls. */
export async function checkMockWalk(client: Client, walk: MockWalk, unique: string): Promise<void> {
  const checking = new WalkClient(client);
  await runMockWalk(checking, walk, unique);
  const short = [...checking.rows].filter(([, rows]) => rows < 2).map(([id]) => id);
  expect(short.sort()).toEqual([...(withoutSecondPage[walk.type] ?? [])].sort());
}
