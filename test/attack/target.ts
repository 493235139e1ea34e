import { operationOf } from '#contract';
import type { Client } from '../e2e/client.js';
import { createMockIntegration } from '../e2e/records.js';
import { createWorld, type World } from '../isolation/world.js';
import type { Attack } from './attack.js';
import { providerDocument } from './provider.js';
import { randomOf } from './random.js';

/** Ticketing systems beside the mock, as configurations of their integrations. */
export type Configurations = readonly ({ type: string } & Record<string, unknown>)[];

/** What the placeholders of an attack stand for, and who calls. */
export interface Values {
  administrator: string;
  /** Of the integrations of a domain; one is taken by the number of the attack. */
  integrations: Readonly<Record<string, readonly string[]>>;
  texts: Readonly<Record<string, string>>;
}

/** Fills the service with a record of every kind, and with integrations of every domain that is served. */
export async function createValues(
  api: Client,
  provider: string,
  round: number,
  systems: Configurations,
): Promise<Values> {
  const name = `fuzz${round}`;
  const administrator = api.headers['authorization']?.replace('Bearer ', '') ?? '';
  const { id: organizationId } = (await api.call('organization_get')).result;
  const world = await createWorld({ url: api.url }, name, {
    organizationId,
    access: administrator,
    refresh: '',
    tokenId: '',
  });
  if (round === 0) await api.call('customs_create', { body: { data: providerDocument } });
  const custom = await createIntegration(api, world, 'fuzz', {
    type: 'custom_fuzz',
    url: provider,
    credential: { type: 'token', secret: 'a secret of the fuzz' },
  });
  const others: string[] = [];
  for (const [index, config] of systems.entries())
    others.push(await createIntegration(api, world, `system-${index}`, config));
  const mock = await createMockIntegration(api, `${name}-mock`);
  const tickets = api.as(mock.token);
  const page = await tickets.call('ticketing_query_tickets', { query: { limit: 1 } });
  const audit = await api.call('audit_list', { query: { limit: 1 } });
  const { accounts, ids } = world;
  return {
    administrator,
    integrations: {
      custom: [custom],
      storage: [custom],
      ticketing: [mock.token, accounts[0].integration.access, ...others],
    },
    texts: {
      ...ids,
      ...accounts[0].ids,
      ...accounts[0].records,
      organizationId,
      ownerId: accounts[0].accountId,
      id: '1',
      path: 'folder/file.txt',
      month: 'partial',
      permissionsetId: 'viewer',
      providerId: 'ticketing_mock_ticketing',
      cursor: (page as { cursor?: string | null }).cursor ?? 'none',
      auditCursor: (audit as { cursor?: string | null }).cursor ?? 'none',
      provider,
    },
  };
}

async function createIntegration(
  api: Client,
  world: World,
  name: string,
  config: { type: string } & Record<string, unknown>,
): Promise<string> {
  const { result } = await api.call('integrations_create', {
    path: { accountId: world.accounts[0].accountId },
    body: { name: `${world.name}-${name}`, provider_config: config as never },
  });
  return result.token.access.secret;
}

/** The token that an attack is sent with; undefined for none. */
export function tokenOf(
  { caller, operation }: Attack,
  index: number,
  values: Values,
): string | undefined {
  switch (caller) {
    case 'administrator':
      return values.administrator;
    case 'integration': {
      const group = operationOf(operation).group;
      const some = values.integrations[group] ?? values.integrations['ticketing'] ?? [];
      return some[index % some.length];
    }
    case 'stranger':
      return `ofo_${randomOf(index, 0).next().toString(36).slice(2).padEnd(40, 'x')}`;
    case 'nobody':
      return undefined;
  }
}

/** A text with its placeholders filled in. Names that the service has no value for stand as they are. */
export function fillIn(text: string, token: string | undefined, { texts }: Values): string {
  return text.replace(
    /\{\{(\w+)(?:([<~])(\d+))?\}\}/g,
    (all, name: string, how: string | undefined, count: string) => {
      const value = name === 'token' ? (token ?? '') : (texts[name] ?? name);
      if (name !== 'token' && !(name in texts) && !/Id$/.test(name)) return all;
      if (how === '<') return value.slice(0, Number(count));
      if (how === undefined) return value;
      const at = Number(count) % Math.max(1, value.length);
      return value.slice(0, at) + (value[at] === 'a' ? 'b' : 'a') + value.slice(at + 1);
    },
  );
}
