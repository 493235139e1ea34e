import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { parseAllDocuments } from 'yaml';
import { eventually } from '#test/harness';
import { readMetricsPage } from '../tools/promql/metrics-page.js';
import { RecordedSeries, readExposition, type Sample } from '../tools/promql/recorded-series.js';
import { addOrganization } from './add-organization.js';
import { Client } from './client.js';
import { type Onefold, startDistributed } from './onefold.js';

// Metrics of real processes: those that docs/metrics.md lists, and numbers that autoscalers of deploy/kubernetes go by.

let onefold: Onefold;
let outside: Server;
let url: string;
let failing: Server;
const series = new RecordedSeries();
/** Requests from Onefold that wait. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  outside = createServer((_request, response) => void held.push(response));
  await once(outside.listen(0, '127.0.0.1'), 'listening');
  url = urlOf(outside);
  failing = createServer((_request, response) => response.writeHead(500).end());
  await once(failing.listen(0, '127.0.0.1'), 'listening');
  onefold = await startDistributed();
});
afterAll(async () => {
  for (const response of held) response.destroy();
  await onefold.stop();
  for (const server of [outside, failing]) {
    server.closeAllConnections();
    server.close();
  }
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function scrape(app: string): Promise<Sample[]> {
  const [, observe = ''] = (await onefold.processes[app]?.says(/"observe":"([^"]+)"/)) ?? [];
  const samples = readExposition(await (await fetch(`${observe}/metrics`)).text());
  series.scrape(performance.now(), app, samples);
  return samples;
}

async function valueOf(app: string, name: string, label = ''): Promise<number | undefined> {
  const samples = await scrape(app);
  return samples.find(
    ({ labels }) =>
      labels['__name__'] === name && (label === '' || Object.values(labels).includes(label)),
  )?.value;
}

/** Creates an integration with issues of a repository at the server of this spec. @returns the authorization of its token */
async function integrate(repository: string, server = outside): Promise<{ authorization: string }> {
  const { account } = (await onefold.api.call('accounts_create', { body: { name: repository } }))
    .result;
  const made = await onefold.api.call('integrations_create', {
    path: { accountId: account.id },
    body: {
      provider_config: {
        type: 'ticketing_github',
        repository: `octo-org/${repository}`,
        url: urlOf(server),
        credential: { type: 'token', secret: 'agent-token' },
      } as never,
    },
  });
  return { authorization: `Bearer ${made.result.token.access.secret}` };
}

/** The target of an autoscaler, in requests in flight of a pod. */
function targetOf(path: string): number {
  const manifests = parseAllDocuments(readFileSync(`deploy/kubernetes/${path}`, 'utf8')).map(
    (document) => document.toJS() as Record<string, unknown>,
  );
  const autoscaler = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler') as {
    spec: { metrics: { pods?: { metric: { name: string }; target: { averageValue: string } } }[] };
  };
  const pods = autoscaler.spec.metrics.flatMap(({ pods }) => pods ?? []);
  expect(pods.map(({ metric }) => metric.name)).toEqual(['onefold_requests_in_flight']);
  return Number(pods[0]?.target.averageValue);
}

const inFlight = (app: string) => valueOf(app, 'onefold_requests_in_flight');

it('shows an open circuit with its provider, and who serves, by the gateway', async () => {
  const headers = await integrate('fails', failing);
  for (let count = 0; count < 4; count += 1)
    await fetch(`${onefold.api.url}/v1/ticketing/tickets/1`, { headers });
  expect(await valueOf('connector', 'onefold_provider_circuits_open', 'ticketing_github')).toBe(1);
  expect(await valueOf('gateway', 'onefold_processes_heard', 'management')).toBe(1);
  expect(await valueOf('gateway', 'onefold_processes_heard', 'ticketing')).toBe(1);
});

describe('an autoscaler goes by a number that moves', () => {
  it('of gateways and connectors, when a provider holds calls', async () => {
    const targets = [
      targetOf('base/gateway.yaml'),
      targetOf('components/connector/connector.yaml'),
    ];
    const headers = await integrate('desk');
    const count = Math.max(...targets) + 10;
    const waiting = Array.from({ length: count }, () =>
      fetch(`${onefold.api.url}/v1/ticketing/tickets/1`, { headers }),
    );
    await eventually(async () => {
      expect(await inFlight('gateway')).toBeGreaterThan(targets[0] ?? Infinity);
      expect(await inFlight('connector')).toBeGreaterThan(targets[1] ?? Infinity);
    });
    const end = setInterval(
      () => held.splice(0).forEach((one) => one.writeHead(404).end('{}')),
      20,
    );
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(404);
    clearInterval(end);
    await eventually(async () => expect(await inFlight('connector')).toBe(0));
    expect(
      await valueOf('connector', 'onefold_provider_wait_seconds_count', 'ticketing_github'),
    ).toBeGreaterThan(0);
  });

  it('of management, when the database is slow', async () => {
    const target = targetOf('base/management.yaml');
    const client = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
    await client.connect();
    await client.query('begin; lock table accounts in access exclusive mode');
    const { headers } = onefold.api;
    const waiting = Array.from({ length: target + 10 }, () =>
      fetch(`${onefold.api.url}/v1/accounts`, { headers }),
    );
    try {
      await eventually(async () => expect(await inFlight('management')).toBeGreaterThan(target));
      const connections = await valueOf('management', 'onefold_database_connections', 'used');
      expect(connections).toBeGreaterThan(0);
    } finally {
      await client.query('rollback');
      await client.end();
    }
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
  });

  it('of workers, when receivers hold deliveries', async () => {
    const target = targetOf('base/operations.yaml');
    const { DATABASE_URL = '' } = onefold.env ?? {};
    for (let count = 0; count <= target / 3; count += 1) {
      const { access } = await addOrganization(DATABASE_URL, onefold.keyFile, `receiver-${count}`);
      const api = new Client(onefold.api.url, access);
      for (const path of ['one', 'two', 'three'])
        await api.call('organizationWebhooks_create', {
          body: {
            name: path,
            filters: ['account_create'],
            url: `${url}/${path}`,
            secret: { value: 'a signing secret of the spec' },
          },
        });
      await api.call('accounts_create', { body: { name: 'delivered' } });
    }
    await eventually(async () => expect(await inFlight('operations')).toBeGreaterThan(target));
    const end = setInterval(() => held.splice(0).forEach((one) => one.writeHead(204).end()), 20);
    await eventually(async () => expect(await inFlight('operations')).toBe(0));
    clearInterval(end);
  });
});

it('lists on docs/metrics.md each metric that a process prints, with its labels', async () => {
  await eventually(async () => {
    // Numbers of organizations are those of the last whole minute, those of deliveries are measured each 15 s.
    for (const app of Object.keys(onefold.processes)) await scrape(app);
    expect([...series.shapes.keys()]).toContain('onefold_organization_requests');
  });
  const printed = new Map<string, Set<string>>();
  for (const [name, labels] of series.shapes) {
    if (!name.startsWith('onefold_')) continue;
    const metric = name.replace(/(_seconds)_(?:bucket|count|sum)$/, '$1');
    const known = printed.get(metric) ?? new Set();
    printed.set(metric, known);
    for (const label of labels)
      if (!['service', 'instance', 'le'].includes(label)) known.add(label);
  }
  const listed = readMetricsPage();
  expect(
    [...printed].map(([name, labels]) => `${name} ${[...labels].sort().join(' ')}`).sort(),
  ).toEqual(
    [...listed]
      .filter(([name]) => !rare.includes(name))
      .map(([name, labels]) => `${name} ${labels.join(' ')}`)
      .sort(),
  );
  expect(rare.filter((name) => !listed.has(name))).toEqual([]);
});

/** Metrics without a value until something is mailed, refused, invalid, changed or failed. The specs of their rooms have their labels. */
const rare = [
  'onefold_alarm_mails_total',
  'onefold_bus_refused_messages_total',
  'onefold_invalid_records_total',
  'onefold_job_page_failures_total',
  'onefold_provider_drift_total',
];

it('shows the age of the queue without a worker', async () => {
  await onefold.processes['operations']?.stop();
  const { api } = onefold;
  await api.call('organizationWebhooks_create', {
    body: {
      name: 'waits',
      filters: ['account_create'],
      url: `${url}/waits`,
      secret: { value: 'a signing secret of the spec' },
    },
  });
  await api.call('accounts_create', { body: { name: 'waits' } });
  await eventually(async () =>
    expect(await valueOf('management', 'onefold_task_oldest_seconds')).toBeGreaterThan(1),
  );
});
