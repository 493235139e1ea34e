import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { type Operation, operations } from '#contract';
import { mintToken } from '#secrets';
import { type Service, startService } from '../api/service.js';
import { sampleBody } from '../bodies/sample.js';
import { bodySchema, listedTexts } from '../bodies/schemas.js';
import { configurationOf, mockOf, type MockWalk } from '../walks/mock-walks.js';
import { idParameters, readerOf, type Request, send, type Sent } from './requests.js';
import { canary, createWorld, password, rowsOf, secretIn, type World } from './world.js';
import {
  idsOfAccount,
  idsOfOrganization,
  idsOfWorld,
  type Name,
  namesOfAccount,
  namesOfOrganization,
  namesOfWorld,
  own,
} from './world-ids.js';

/** A caller, and the records that it must not reach. */
export interface Caller {
  token: string | undefined;
  /** Tokens by mock, of a caller that has an integration of every mock that serves an operation with an id. */
  tokens?: ReadonlyMap<string, string>;
  /** Ids of records that the caller must not reach. */
  foreign: string[];
  /** Names of such records. */
  names: Name[];
  records: string[];
  /** Canaries that the caller must never see. */
  canaries: string[];
}

/** Permission sets of members who are limited to accounts with a label. */
const labelled = ['administrator', 'viewer', 'account-manager', 'member', 'connect-ui'] as const;

/** Every kind of caller. */
export const kinds = [
  'nobody',
  'an unknown token',
  'a revoked token',
  'the administrator',
  'a viewer',
  'a session',
  'a refresh secret',
  'an administrator of one account',
  'a viewer of one account',
  'a viewer by environment',
  ...labelled.map((set) => `a session of a ${set} by label` as const),
  'a token made with an account',
  'a token issuer',
  "a token for the organization's integrations",
  'an integration',
  'the refresh secret of an integration',
  'the administrator of a sub organization',
  'a token for the MCP endpoint',
] as const;
export type Kind = (typeof kinds)[number];

/** The served operations, those of them with an id in their path, and the lists. */
export const served = [...operations.values()].filter(({ state }) => state === 'served');
export const addressed = served.filter((operation) => idParameters(operation).length > 0);
export const lists = served.filter(
  (operation) => operation.side === 'management' && listedTexts(operation).length > 0,
);

/** Prepares operations for `it.each`. */
export const named = (some: readonly Operation[]) =>
  some.map((operation) => [operation.id, operation] as const);

/** Two organizations with a record of every kind in two accounts each, and callers of the first with every kind of token. */
export class Tenants {
  private readonly callers = new Map<Kind, Caller>();
  private readonly bodies = new Map<string, object>();
  /** The rows of the other organization before any caller of the first one made a request. */
  private before: Record<string, string[]> = {};

  private constructor(
    readonly service: Service,
    readonly mine: World,
    readonly theirs: World,
  ) {}

  static async start(): Promise<Tenants> {
    computePasswordsOnce();
    const service = await startService(10, undefined, 1);
    const other = await service.organization('theirs');
    const theirs = await createWorld(service, 'theirs', other);
    // Callers are made while the rows of the other organization, which they do not touch, come to rest.
    const rest = settledRows(service, theirs);
    const mine = await createWorld(service, 'mine', service.administrator);
    const tenants = new Tenants(service, mine, theirs);
    await tenants.fillCallers();
    tenants.before = await rest;
    return tenants;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  caller(kind: Kind): Caller {
    const found = this.callers.get(kind);
    if (!found) throw new Error(`unknown caller ${kind}`);
    return found;
  }

  /** The token with which a caller calls an operation. */
  tokenFor({ token, tokens }: Caller, { id }: Operation): string | undefined {
    return tokens?.get(mockOf(id)?.walk.type ?? '') ?? token;
  }

  send(operation: Operation, request: Request, token: string | undefined): Promise<Sent> {
    return send(this.service, operation, request, token);
  }

  /** Returns path parameters for the records of an account, by default the first one. */
  ownPath(
    operation: Operation,
    world = this.mine,
    account = world.accounts[0],
  ): Record<string, string> {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return Object.fromEntries(names.map((name) => [name, own(world, account, operation, name)]));
  }

  /** Calls an operation on own records with all permissions. */
  async ownAnswer(operation: Operation): Promise<Sent> {
    const token =
      operation.side === 'management'
        ? this.mine.administrator.access
        : this.mine.accounts[0].integration.access;
    return await this.send(operation, { path: this.ownPath(operation) }, token);
  }

  /** Returns a valid body of an operation, for a record that may be foreign. */
  async bodyFor(operation: Operation, target: string): Promise<unknown> {
    if (bodySchema(operation) === undefined) return undefined;
    if (operation.method === 'PATCH')
      return [{ op: 'replace', path: '/fullname', value: 'taken over' }];
    const reader = operation.method === 'PUT' ? readerOf(operation, operations) : undefined;
    if (operation.side === 'connector') return connectorBody(operation);
    let body = this.bodies.get(operation.id);
    if (body === undefined) {
      const record = reader ? ((await this.ownAnswer(reader)).result as object) : {};
      const required = sampleBody(operation) as object;
      // An update may omit what responses omit, such as the secrets of a configuration.
      body = Object.fromEntries(
        Object.entries({ ...required, ...record }).filter(
          ([name, value]) => !isMasked(value) && !(name === 'updated_at' && !(name in required)),
        ),
      );
      this.bodies.set(operation.id, body);
    }
    return reader ? { ...body, id: target } : body;
  }

  /** Returns the rows of the other organization that have changed. */
  async changedRows(): Promise<object[]> {
    const now = await rowsOfOrganization(this.service, this.theirs);
    const tables = [...new Set([...Object.keys(this.before), ...Object.keys(now)])];
    return tables.flatMap((table) =>
      isDeepStrictEqual(this.before[table], now[table])
        ? []
        : [{ table, before: this.before[table], now: now[table] }],
    );
  }

  private async fillCallers(): Promise<void> {
    const [first, second] = this.mine.accounts;
    const records = Object.values(this.theirs.accounts[1].records);
    const stranger = {
      foreign: idsOfWorld(this.theirs),
      names: namesOfWorld(this.theirs),
      records,
      canaries: [canary('theirs')],
    };
    const narrow = {
      foreign: [...stranger.foreign, ...idsOfAccount(second), ...idsOfOrganization(this.mine)],
      names: [...stranger.names, ...namesOfAccount('mine-two'), ...namesOfOrganization(this.mine)],
      records: [...records, ...Object.values(second.records)],
      canaries: [...stranger.canaries, canary('mine-two')],
    };
    const issue = async (permission_set: string, accounts?: object) => {
      const resources = accounts ? { accounts } : { accounts: { ids: ['*'] } };
      const made = await this.service.call('POST', '/v1/tokens', { permission_set, resources });
      if (made.status !== 200)
        throw new Error(`a token of a caller was not created: ${made.message}`);
      const { id, primary } = made.result as unknown as {
        id: string;
        primary: { access: { secret: string }; refresh: { secret: string } };
      };
      return { id, access: primary.access.secret, refresh: primary.refresh.secret };
    };
    const revoked = await issue('administrator');
    await this.service.call('DELETE', `/v1/tokens/${revoked.id}`);
    const renewal = await issue('administrator');
    const sub = await this.service.call('POST', '/v1/suborgs', {});
    const { token } = sub.result as unknown as { token: { access: { secret: string } } };
    const add = (kind: Kind, secret: string | undefined, not: Omit<Caller, 'token'>) =>
      this.callers.set(kind, { token: secret, ...not });
    const one = { ids: [first.accountId] };
    add('nobody', undefined, stranger);
    add('an unknown token', mintToken('ofo_'), stranger);
    add('a revoked token', revoked.access, stranger);
    add('the administrator', this.mine.administrator.access, stranger);
    add('a viewer', (await issue('viewer')).access, stranger);
    add('a session', this.mine.session, stranger);
    add('a refresh secret', renewal.refresh, narrow);
    add('an administrator of one account', (await issue('administrator', one)).access, narrow);
    add('a viewer of one account', (await issue('viewer', one)).access, narrow);
    for (const set of labelled)
      add(`a session of a ${set} by label`, await this.labelledSession(set), narrow);
    add('a token made with an account', first.token, narrow);
    const prod = { ids: ['*'], environments: ['prod'] };
    add('a viewer by environment', (await issue('viewer', prod)).access, narrow);
    add('a token issuer', (await issue('token-issuer', one)).access, narrow);
    const tokens = await this.mockTokens(first.accountId);
    add('an integration', first.integration.access, { ...narrow, tokens });
    add('the refresh secret of an integration', first.integration.refresh, narrow);
    const own = await this.service.call('POST', '/v1/tokens/organization-integrations');
    add("a token for the organization's integrations", secretOfPair(own.result['token']), {
      foreign: [...narrow.foreign, ...idsOfAccount(first)],
      canaries: narrow.canaries,
      names: [...narrow.names, ...namesOfAccount('mine-one')],
      records: [...narrow.records, ...Object.values(first.records)],
    });
    const mcp = await this.service.call('POST', '/v1/tokens/mcp', {
      scope: { type: 'management' },
    });
    add('a token for the MCP endpoint', String(mcp.result['secret']), narrow);
    add('the administrator of a sub organization', token.access.secret, {
      foreign: [...stranger.foreign, ...idsOfWorld(this.mine)],
      names: [...stranger.names, ...namesOfWorld(this.mine)],
      records,
      canaries: [...stranger.canaries, canary('mine')],
    });
  }

  /** Creates an integration of every mock that serves an operation with an id. @returns their tokens, by mock */
  private async mockTokens(accountId: string): Promise<ReadonlyMap<string, string>> {
    const tokens = new Map<string, string>();
    for (const walk of new Set(addressed.flatMap(({ id }) => mockOf(id)?.walk ?? []))) {
      const body = { name: nameOf(walk), provider_config: configurationOf(walk) };
      const made = await this.service.call('POST', `/v1/integrations/${accountId}`, body);
      if (made.status !== 200) throw new Error(`${walk.type}: ${made.message}`);
      tokens.set(walk.type, secretIn(made.result['token']).access);
    }
    return tokens;
  }

  /** Creates a session of a member whose role is limited to accounts with the label of the first one. */
  private async labelledSession(permission_set: string): Promise<string> {
    const name = `${permission_set}-by-label`;
    const make = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const { status, message, result } = await this.service.call('POST', path, body);
      if (status !== 200) throw new Error(`${path} for ${name} returned ${status}: ${message}`);
      return result;
    };
    const accounts = { ids: ['*'], labels: ['mine-one'] };
    await make('/v1/roles', { name, permission_set, resources: { accounts } });
    const member = { name: `${name}@example.com`, secret: password };
    await make('/v1/members', { ...member, role_binding: [name] });
    const { token } = await make(`/v1/auth/logon/${this.mine.organizationId}`, member);
    return secretIn(token).access;
  }
}

function rowsOfOrganization(
  { databaseUrl }: Service,
  { organizationId: id }: World,
): Promise<Record<string, string[]>> {
  return rowsOf(databaseUrl, (columns) =>
    columns.includes('organization_id')
      ? `r.organization_id = '${id}'`
      : columns.includes('organization_type')
        ? `r.id = '${id}'`
        : undefined,
  );
}

/** Returns the rows of an organization once they have not changed for 2.5 s: usage is written after the response, every two seconds. */
async function settledRows(service: Service, world: World): Promise<Record<string, string[]>> {
  let rows = await rowsOfOrganization(service, world);
  for (let since = Date.now(); Date.now() - since < 2_500;) {
    await sleep(500);
    const now = await rowsOfOrganization(service, world);
    if (!isDeepStrictEqual(rows, now)) [rows, since] = [now, Date.now()];
  }
  return rows;
}

function secretOfPair(token: unknown): string {
  return secretIn((token as { primary: unknown }).primary).access;
}

function nameOf({ type }: MockWalk): string {
  return `mine-mock-${type.replaceAll('_', '-')}`;
}

/** Returns the body with which the walk of a mock calls the operation; what the walk reads from other results is a text. */
function connectorBody(operation: Operation): unknown {
  const body = mockOf(operation.id)?.step.body;
  if (body === undefined) return sampleBody(operation);
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith('$') ? 'taken over' : value,
  ) as unknown;
}

/** Hashes and verifies each password once: thousands of requests contain the same one, and each would take a core for 30 ms. */
function computePasswordsOnce(): void {
  const { hash, verify } = argon2;
  const hashes = new Map<unknown, Promise<string>>();
  const results = new Map<string, Promise<boolean>>();
  jest.spyOn(argon2, 'hash').mockImplementation((given, options) => {
    const made = hashes.get(given) ?? hash(given, options);
    hashes.set(given, made);
    return made;
  });
  jest.spyOn(argon2, 'verify').mockImplementation((hashed, given) => {
    const key = JSON.stringify([hashed, given]);
    const result = results.get(key) ?? verify(hashed, given);
    results.set(key, result);
    return result;
  });
}

/** True for a configuration of which responses contain the type only. */
function isMasked(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'type' &&
    !String((value as { type: unknown }).type).includes('_mock_')
  );
}
