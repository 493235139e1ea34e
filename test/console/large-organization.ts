import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#test/harness';
import { addFilledOrganization } from '../e2e/add-organization.js';
import { type ServedConsole, startConsole } from './served-console.js';
import type { Stage } from './stage.js';

export const accountCount = 1_000_000;
export const integrationCount = 261;

/** Integrations are at accounts this far apart, so that they are on no page together. */
const accountStep = 3_000;
const parallelCalls = 8;

/** Systems by mocks, with a list of each that makes an integration healthy. */
const systems = {
  ticketing_jira_mock: '/v1/ticketing/tickets',
  ticketing_github_mock: '/v1/ticketing/tickets',
  ticketing_servicenow_mock: '/v1/ticketing/tickets',
  ticketing_zendesk_mock: '/v1/ticketing/tickets',
  ticketing_linear_mock: '/v1/ticketing/tickets',
  identity_okta_mock: '/v1/identity/groups',
  identity_entra_id_mock: '/v1/identity/groups',
  edr_sentinelone_mock: '/v1/edr/endpoints',
  assets_tenable_cloud_mock: '/v1/assets/devices',
  vulnerabilities_qualys_cloud_mock: '/v1/vulnerabilities/assets',
};

/** States that an integration gets by what goes wrong at the provider, and of how many of them; undefined for a secret that is wrong. */
const failures = {
  credentials_refused: { count: 9, fault: undefined },
  permission_missing: { count: 3, fault: { kind: 'status', status: 403 } },
  failing: { count: 3, fault: { kind: 'drift', alter: 'root = "nothing of a ticket"' } },
  rate_limited: { count: 3, fault: { kind: 'limited', seconds: 3_600 } },
  unavailable: { count: 3, fault: { kind: 'status', status: 503 } },
};
/** Integrations without a call. */
const newCount = 20;

export interface CreatedIntegration {
  integration: { id: string; account_id: string };
  token: { access: { secret: string } };
}

/** A console with an organization of a million accounts beside one in which nobody has begun. */
export interface LargeConsole extends ServedConsole {
  /** The token that the first start has printed. */
  newcomerToken: string;
}

/** Starts a process, and fills an organization of its database with accounts. */
export async function startLargeConsole(): Promise<LargeConsole> {
  const served = await startConsole();
  try {
    const { databaseUrl, keyFile, printed } = served;
    const organization = `large-${randomBytes(6).toString('hex')}`;
    const tokens = await addFilledOrganization(
      databaseUrl,
      keyFile,
      organization,
      new URL(printed).origin,
    );
    await addAccounts(databaseUrl, organization);
    return {
      ...served,
      organization,
      token: tokens.organizationToken,
      integrationToken: tokens.integrationToken ?? '',
      newcomerToken: served.token,
    };
  } catch (error) {
    await served.stop();
    throw error;
  }
}

async function addAccounts(databaseUrl: string, organization: string): Promise<void> {
  const file = pathToFileURL(join(process.cwd(), 'tools/bench-lists-data.mjs')).href;
  const { fillAccounts } = (await import(file)) as {
    fillAccounts: (owner: pg.Client, organization: string, count: number) => Promise<void>;
  };
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      'select id from organizations where name = $1',
      [organization],
    );
    await fillAccounts(owner, rows[0]?.id ?? '', accountCount);
  } finally {
    await owner.end();
  }
}

/** Configuration of GitHub Issues over the fake. */
export function githubOf(stage: Stage, secret = stage.githubSecret) {
  return {
    type: 'ticketing_github',
    repository: 'alderpoint/desk',
    url: stage.githubUrl,
    credential: { type: 'token', secret },
  };
}

/** Calls the connector API for an integration. */
export async function read(stage: Stage, path: string, token: string): Promise<Response> {
  const response = await fetch(`${stage.url}${path}?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.text();
  return response;
}

/** Makes integrations of several systems in all states, until there are {@link integrationCount}, and waits until the service knows the states. */
export async function addIntegrations(stage: Stage): Promise<void> {
  const existing = (await stage.integrations()).length;
  const kinds = Object.entries(systems);
  let next = 0;
  const create = async (system: string, provider_config: object) => {
    next += 1;
    const account = `account-${String(next * accountStep).padStart(8, '0')}`;
    const body = { fullname: `${system} of ${account}`, provider_config };
    const { result } = await stage.call<CreatedIntegration>(
      'POST',
      `/v1/integrations/${account}`,
      body,
    );
    return result;
  };
  // The fake has one fault at a time, so these are made one after the other.
  for (const { count, fault } of Object.values(failures))
    for (let made = 0; made < count; made += 1) {
      const secret = fault === undefined ? 'revoked' : stage.githubSecret;
      const { token } = await create('GitHub', githubOf(stage, secret));
      if (fault) stage.github.engine.faults.add({ ...fault, times: 20 });
      const response = await read(stage, '/v1/ticketing/tickets', token.access.secret);
      stage.github.engine.faults.clear();
      expect(response.ok).toBe(false);
    }
  const others = integrationCount - existing - next;
  const numbers = Array.from({ length: others }, (_, index) => index);
  const work = async () => {
    for (let index = numbers.shift(); index !== undefined; index = numbers.shift()) {
      const [type = '', path = ''] = kinds[index % kinds.length] ?? [];
      const { token } = await create(type, { type });
      if (index < newCount) continue;
      const response = await read(stage, path, token.access.secret);
      expect([type, response.status]).toEqual([type, 200]);
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, work));
  await eventually(async () => {
    const expected = Object.entries(failures).map(([state, { count }]) => [state, count]);
    expect(await countStates(stage, Object.keys(failures))).toEqual(expected);
    expect(await countStates(stage, ['healthy'])).toEqual([['healthy', others - newCount]]);
  });
}

async function countStates(stage: Stage, states: readonly string[]): Promise<unknown[]> {
  return await Promise.all(
    states.map(async (state) => {
      const path = `/v1/status?limit=1&total=true&filter=status[eq]${state}`;
      const { total } = (await stage.call('GET', path)) as unknown as { total: number };
      return [state, total];
    }),
  );
}
