import { operationOf } from '#contract';
import type { Client } from '../e2e/client.js';
import { createWorld, password } from '../isolation/world.js';
import { configurationOf, mockByDomain, runMockWalk } from '../walks/mock-walks.js';
import type { Attack } from './attack.js';
import { providerDocument } from './provider.js';
import { randomOf } from './random.js';

/** Ticketing systems beside the mock, as configurations of their integrations. */
export type Configurations = readonly ({ type: string } & Record<string, unknown>)[];

/** Values of an attack's placeholders, and its callers. */
export interface Values {
  administrator: string;
  session: string;
  /** Integrations by domain; the number of the attack selects one. */
  integrations: Integrations;
  texts: Texts;
}

export type Integrations = Readonly<Record<string, readonly Integration[]>>;

type Texts = Readonly<Record<string, string>>;

interface Integration {
  token: string;
  /** Ids of records that the other integrations do not have. */
  texts: Texts;
}

/** Fills the service with a record of every kind, and with integrations of ticketing, storage and custom. @param mocks of the other domains */
export async function createValues(
  api: Client,
  provider: string,
  round: number,
  systems: Configurations,
  mocks: Integrations,
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
  const { accounts, ids } = world;
  if (round === 0) await api.call('customs_create', { body: { data: providerDocument } });
  const [{ accountId }] = accounts;
  const custom = await createIntegration(api, accountId, `${name}-fuzz`, {
    type: 'custom_fuzz',
    url: provider,
    credential: { type: 'token', secret: 'a secret of the fuzz' },
  });
  const tokens = [accounts[0].integration.access];
  for (const [index, config] of systems.entries())
    tokens.push(await createIntegration(api, accountId, `${name}-system-${index}`, config));
  const ticketing = await Promise.all(tokens.map((token) => withTicket(api, token)));
  const audit = await api.call('audit_list', { query: { limit: 1 } });
  return {
    administrator,
    session: world.session,
    integrations: {
      ...mocks,
      custom: [{ token: custom, texts: {} }],
      storage: [{ token: custom, texts: {} }],
      // The majority of requests go to the integration with a record of every kind.
      ticketing: [{ token: tokens[0] ?? '', texts: {} }, ...ticketing],
    },
    texts: {
      ...ids,
      ...accounts[0].ids,
      ...accounts[0].records,
      organizationId,
      subOrganizationId: ids['organizationId'] ?? '',
      name: `${name}@example.com`,
      secret: password,
      ownerId: accountId,
      id: '1',
      path: 'folder/file.txt',
      month: 'partial',
      permissionsetId: 'viewer',
      providerId: 'ticketing_mock_ticketing',
      auditCursor: (audit as { cursor?: string | null }).cursor ?? 'none',
      provider,
    },
  };
}

/** Creates an integration of a mock in every domain that has one, with ids of its records; all in an account that no attack can name. */
export async function createMocks(api: Client, round: number): Promise<Integrations> {
  const made: Record<string, readonly Integration[]> = {};
  const { result } = await api.call('accounts_create', { body: { name: `mocks${round}` } });
  for (const [domain, walk] of mockByDomain) {
    const name = `mocks${round}-${domain}`;
    const token = await createIntegration(api, result.account.id, name, configurationOf(walk));
    made[domain] = [{ token, texts: await runMockWalk(api.as(token), walk, 'fuzz') }];
  }
  return made;
}

/** Creates an integration with the id of one of its tickets and the cursor of its list. */
async function withTicket(api: Client, token: string): Promise<Integration> {
  const page = await api
    .as(token)
    .call('ticketing_query_tickets', { query: { limit: 1, order: ['created_at[desc]'] } });
  const { result, cursor } = page as { result: { id: string }[]; cursor?: string | null };
  return { token, texts: { ticketId: result[0]?.id ?? 'none', cursor: cursor ?? 'none' } };
}

async function createIntegration(
  api: Client,
  accountId: string,
  name: string,
  config: { type: string } & Record<string, unknown>,
): Promise<string> {
  const { result } = await api.call('integrations_create', {
    path: { accountId },
    body: { name, provider_config: config as never },
  });
  return result.token.access.secret;
}

/** The caller of an attack: a token, or none, and the placeholders of its own records. */
export function senderOf(
  { caller, operation }: Attack,
  index: number,
  values: Values,
): { token?: string; texts: Texts } {
  const { texts, administrator, session, integrations } = values;
  switch (caller) {
    case 'administrator':
      return { token: administrator, texts };
    case 'session':
      return { token: session, texts };
    case 'integration': {
      const group = operation === 'sign_on' ? 'ticketing' : operationOf(operation).group;
      const some = integrations[group] ?? integrations['ticketing'] ?? [];
      const { token, texts: own } = some[index % some.length] as Integration;
      return { token, texts: { ...texts, ...own } };
    }
    case 'stranger':
      return {
        token: `ofo_${randomOf(index, 0).next().toString(36).slice(2).padEnd(40, 'x')}`,
        texts,
      };
    case 'nobody':
      return { texts };
  }
}

/** Fills in the placeholders of a text. Unknown names stay unchanged. */
export function fillIn(text: string, token: string | undefined, texts: Texts): string {
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
