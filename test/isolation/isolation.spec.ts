import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isId } from '#config';
import { type Operation, operations } from '#contract';
import { mintToken } from '#secrets';
import { type Service, startService } from '../api/service.js';
import { bodySchema, listedTexts, sample, textPlaces, withText } from './bodies.js';
import { each, idParameters, readerOf, type Request, send } from './requests.js';
import { said, unknownLike } from './unknown.js';
import {
  canary,
  createWorld,
  idsOfAccount,
  idsOfWorld,
  namesOfWorld,
  own,
  rowsOf,
  type World,
} from './world.js';

let service: Service;
let mine: World;
let theirs: World;
/** What lies in their organization before anybody of ours calls. */
let before: Record<string, string[]>;

/** Who calls, and what is not for him. */
interface Caller {
  token: string | undefined;
  /** Ids of records out of his reach, and of records that providers keep. */
  foreign: string[];
  records: string[];
  /** Canaries he must never see. */
  canaries: string[];
}

const callers = new Map<string, Caller>();
const callerOf = (kind: string): Caller => {
  const found = callers.get(kind);
  if (!found) throw new Error(`there is no caller ${kind}`);
  return found;
};

const theirRows = () =>
  rowsOf(service.databaseUrl, (columns) =>
    columns.includes('organization_id')
      ? `r.organization_id = '${theirs.organizationId}'`
      : columns.includes('organization_type')
        ? `r.id = '${theirs.organizationId}'`
        : undefined,
  );

const served = [...operations.values()].filter(({ state }) => state === 'served');
const addressed = served.filter((operation) => idParameters(operation).length > 0);
const kinds = [
  'nobody',
  'an unknown token',
  'a revoked token',
  'the administrator',
  'a viewer',
  'a session',
  'a refresh secret',
  'an administrator of one account',
  'a viewer of one account',
  'an account manager by label',
  'a viewer by environment',
  'a token issuer',
  'an integration',
  'the refresh secret of an integration',
  'the administrator of a sub organization',
  'a token for the MCP endpoint',
];

beforeAll(async () => {
  service = await startService(10, undefined, 1);
  const other = await service.organization('theirs');
  mine = await createWorld(service, 'mine', service.administrator);
  theirs = await createWorld(service, 'theirs', other);
  await fillCallers();
  // Their own calls are counted behind their answers.
  for (let settled = false; !settled;) {
    before = await theirRows();
    await sleep(2_500);
    settled = isDeepStrictEqual(before, await theirRows());
  }
}, 120_000);
afterAll(() => service.stop());

async function fillCallers(): Promise<void> {
  const [first, second] = mine.accounts;
  const records = Object.values(theirs.accounts[1].records);
  const stranger = { foreign: idsOfWorld(theirs), records, canaries: [canary('theirs')] };
  const narrow = {
    foreign: [...stranger.foreign, ...idsOfAccount(second)],
    records: [...records, ...Object.values(second.records)],
    canaries: [...stranger.canaries, canary('mine-two')],
  };
  const issue = async (permission_set: string, accounts?: object) => {
    const resources = accounts ? { accounts } : { accounts: { ids: ['*'] } };
    const made = await service.call('POST', '/v1/tokens', { permission_set, resources });
    expect([made.status, made.message]).toEqual([200, '']);
    const { id, primary } = made.result as unknown as {
      id: string;
      primary: { access: { secret: string }; refresh: { secret: string } };
    };
    return { id, access: primary.access.secret, refresh: primary.refresh.secret };
  };
  const revoked = await issue('administrator');
  await service.call('DELETE', `/v1/tokens/${revoked.id}`);
  const renewal = await issue('administrator');
  const sub = await service.call('POST', '/v1/suborgs', {});
  const { token } = sub.result as unknown as { token: { access: { secret: string } } };
  const add = (kind: string, secret: string | undefined, not: Omit<Caller, 'token'>) =>
    callers.set(kind, { token: secret, ...not });
  const one = { ids: [first.accountId] };
  add('nobody', undefined, stranger);
  add('an unknown token', mintToken('ofo_'), stranger);
  add('a revoked token', revoked.access, stranger);
  add('the administrator', mine.administrator.access, stranger);
  add('a viewer', (await issue('viewer')).access, stranger);
  add('a session', mine.session, stranger);
  add('a refresh secret', renewal.refresh, narrow);
  add('an administrator of one account', (await issue('administrator', one)).access, narrow);
  add('a viewer of one account', (await issue('viewer', one)).access, narrow);
  const labels = { ids: ['*'], labels: ['mine-one'] };
  add('an account manager by label', (await issue('account-manager', labels)).access, narrow);
  const prod = { ids: ['*'], environments: ['prod'] };
  add('a viewer by environment', (await issue('viewer', prod)).access, narrow);
  add('a token issuer', (await issue('token-issuer', one)).access, narrow);
  add('an integration', first.integration.access, narrow);
  add('the refresh secret of an integration', first.integration.refresh, narrow);
  const mcp = await service.call('POST', '/v1/tokens/mcp', { scope: { type: 'management' } });
  add('a token for the MCP endpoint', String(mcp.result['secret']), narrow);
  add('the administrator of a sub organization', token.access.secret, {
    foreign: [...stranger.foreign, ...idsOfWorld(mine)],
    records,
    canaries: [...stranger.canaries, canary('mine')],
  });
}

/** Bodies that say nothing wrong, by operation. */
const bodies = new Map<string, object>();

/** A body that says nothing wrong but whose record it is for. */
async function bodyFor(operation: Operation, target: string): Promise<unknown> {
  const schema = bodySchema(operation);
  if (schema === undefined) return undefined;
  if (operation.method === 'PATCH')
    return [{ op: 'replace', path: '/fullname', value: 'taken over' }];
  const reader = operation.method === 'PUT' ? readerOf(operation, operations) : undefined;
  let body = bodies.get(operation.id);
  if (body === undefined) {
    const record = reader ? ((await ownAnswer(reader)) as object) : {};
    const least = sample(operation.side, schema) as object;
    // What answers leave out, such as the secrets of a configuration, an update may leave out too.
    body = Object.fromEntries(
      Object.entries({ ...least, ...record }).filter(
        ([name, value]) => !isMasked(value) && !(name === 'updated_at' && !(name in least)),
      ),
    );
    bodies.set(operation.id, body);
  }
  return reader ? { ...body, id: target } : body;
}

/** A configuration of which an answer shows the type alone. */
function isMasked(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'type' &&
    !String((value as { type: unknown }).type).includes('_mock_')
  );
}

function ownPath(operation: Operation, world = mine, account = world.accounts[0]) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, own(world, account, operation, name)]));
}

async function ownAnswer(operation: Operation): Promise<unknown> {
  const token =
    operation.side === 'management'
      ? mine.administrator.access
      : mine.accounts[0].integration.access;
  return (await send(service, operation, { path: ownPath(operation) }, token)).result;
}

/** Every foreign id at every place of the path, the others own; and every path that is foreign as a whole. */
async function foreignRequests(
  operation: Operation,
  { foreign, records }: Caller,
): Promise<Request[]> {
  const path = ownPath(operation);
  const parameters = idParameters(operation);
  const ids = operation.side === 'management' ? foreign : [...records, ...foreign.slice(0, 3)];
  const paths = parameters.flatMap((parameter) => ids.map((id) => ({ ...path, [parameter]: id })));
  const worlds = [theirs, mine].flatMap((world) =>
    world.accounts.map((account) => ownPath(operation, world, account)),
  );
  const whole = worlds.filter((one) => parameters.some((name) => ids.includes(one[name] ?? '')));
  return await Promise.all(
    [...paths, ...whole].map(async (one) => {
      const body = await bodyFor(operation, one[parameters.at(-1) ?? ''] ?? '');
      return { path: one, ...(body === undefined ? {} : { body }) };
    }),
  );
}

describe('the world', () => {
  it('has an own id for every parameter of a management path', () => {
    const missing = addressed
      .filter(({ side }) => side === 'management')
      .flatMap((operation) =>
        Object.entries(ownPath(operation))
          .filter(([, id]) => id === '')
          .map(
            ([name]) => `${operation.id}: add a record for {${name}} to test/isolation/world.ts`,
          ),
      );
    expect(missing).toEqual([]);
  });

  it.each(addressed.filter(({ method }) => method === 'GET').map((one) => [one.id, one] as const))(
    '%s reads what is its own',
    async (_id, operation) => {
      if (operation.side === 'connector' && Object.values(ownPath(operation)).includes('')) return;
      const token =
        operation.side === 'management'
          ? mine.administrator.access
          : mine.accounts[0].integration.access;
      await soon(async () => {
        const { status, text } = await send(
          service,
          operation,
          { path: ownPath(operation) },
          token,
        );
        expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
      });
    },
  );
});

describe.each(kinds)('%s', (kind) => {
  it.each(addressed.map((operation) => [operation.id, operation] as const))(
    'gets no foreign record by %s',
    async (_id, operation) => {
      const caller = callerOf(kind);
      const leaks: string[] = [];
      await each(await foreignRequests(operation, caller), async (request) => {
        const { status, text } = await send(service, operation, request, caller.token);
        const seen = caller.canaries.some((one) => text.includes(one));
        if (![401, 403, 404].includes(status) || seen)
          leaks.push(`${JSON.stringify(request.path)} answered ${status}: ${text.slice(0, 300)}`);
      });
      expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
    },
  );
});

/** The audit trail of a caller holds the paths he asked for, foreign ids included, and how they were refused. */
function withoutWords({ group }: Operation, text: string): string {
  if (group !== 'audit') return text;
  const { result } = JSON.parse(text) as { result: Record<string, unknown>[] };
  return JSON.stringify(
    result.map((row) => ({ ...row, path: undefined, response: undefined, body: undefined })),
  );
}

const lists = served.filter(
  (operation) => operation.side === 'management' && listedTexts(operation).length > 0,
);

describe.each(kinds)('%s', (kind) => {
  it.each(lists.map((operation) => [operation.id, operation] as const))(
    'is listed no foreign row by %s',
    async (_id, operation) => {
      const { token, foreign, canaries } = callerOf(kind);
      const everything: Record<string, string | string[]> = {};
      for (const [name, { type, values }] of Object.entries(operation.query))
        if (type === 'boolean') everything[name] = 'true';
        else if (values) everything[name] = [...values];
      for (const query of [{}, everything]) {
        const path = ownPath(operation);
        const { status, text } = await send(service, operation, { path, query }, token);
        // The path is the first account's, which some do not reach.
        expect([200, 401, 403, 404]).toContain(status);
        const shown = status === 200 ? withoutWords(operation, text) : '';
        for (const one of [...foreign, ...canaries]) expect(shown).not.toContain(one);
      }
    },
  );
});

describe('the administrator', () => {
  it.each(lists.map((operation) => [operation.id, operation] as const))(
    'is listed own rows by %s',
    async (_id, operation) => {
      const { token } = callerOf('the administrator');
      await soon(async () => {
        const { status, result } = await send(
          service,
          operation,
          { path: ownPath(operation) },
          token,
        );
        expect(status).toBe(200);
        expect((result as unknown[]).length).toBeGreaterThan(0);
      }, emptyLists.has(operation.id));
    },
  );
});

/** Callers, and the foreign ids and names that their bodies and filters name. */
const namers: [string, () => string[]][] = [
  ['the administrator', () => [...idsOfWorld(theirs), ...namesOfWorld(theirs)]],
  [
    'an administrator of one account',
    () => [...Object.values(mine.accounts[1].ids), mine.accounts[1].accountId, 'mine-two'],
  ],
];
/** Texts that people read; whatever stands in them names nothing. */
const shown = new Set(['fullname', 'description', 'contact', 'reply_to', 'picture', 'nickname']);
const bodied = served.filter(
  (operation) =>
    operation.side === 'management' &&
    operation.method !== 'PATCH' &&
    bodySchema(operation) !== undefined,
);

describe.each(namers)('%s', (kind, values) => {
  it.each(
    lists
      .filter(({ query }) => 'filter' in query || 'start_after' in query)
      .map((operation) => [operation.id, operation] as const),
  )(
    'is shown for a foreign id in a filter of %s what he is shown for an unknown one',
    async (_id, operation) => {
      const { token } = callerOf(kind);
      const path = ownPath(operation);
      const ask = async (query: (value: string) => Record<string, string>, value: string) => {
        const sent = await send(service, operation, { path, query: query(value) }, token);
        return { ...said(sent, value), result: sent.status === 200 ? sent.result : undefined };
      };
      const queries = [
        ...listedTexts(operation).map((field) => (value: string) => ({
          filter: `${field}[eq]${value}`,
        })),
        (value: string) => ({ start_after: value }),
      ];
      const asked = queries.flatMap((query) => values().map((value) => ({ query, value })));
      const leaks: object[] = [];
      await each(asked, async ({ query, value }) => {
        const [foreign, unknown] = [
          await ask(query, value),
          await ask(query, unknownLike(value, 99)),
        ];
        if (JSON.stringify(foreign) !== JSON.stringify(unknown))
          leaks.push({ query: query(value), foreign, unknown });
      });
      expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
    },
  );
});

// What these make of their own has such names, so that filters come first.
describe.each(namers)('%s', (kind, values) => {
  it.each(bodied.map((operation, index) => [operation.id, operation, index] as const))(
    'is told of foreign ids in the body of %s what he is told of unknown ones',
    async (_id, operation, index) => {
      const { token } = callerOf(kind);
      const schema = bodySchema(operation) ?? {};
      const path = ownPath(operation);
      const body = await bodyFor(operation, path[idParameters(operation).at(-1) ?? ''] ?? '');
      let made = 0;
      const ask = async (place: readonly (string | number)[], value: string) => {
        made += 1;
        const fresh = operation.creates ? { ...(body as object), fullname: `made ${made}` } : body;
        const changed = withText(operation.side, schema, fresh, place, value);
        return said(await send(service, operation, { path, body: changed }, token), value);
      };
      const leaks: object[] = [];
      const places = textPlaces(operation.side, schema).filter(
        (place) => !shown.has(String(place.at(-1))) && !isSecret(operation, place),
      );
      // Where any text is taken, none is looked up.
      const looking: (typeof places)[number][] = [];
      await each(places, async (place) => {
        const { status } = (await ask(place, `nonsense ${index}`)) as { status: number };
        if (status >= 300) looking.push(place);
      });
      const asked = looking.flatMap((place) =>
        values()
          // A name that is taken in the organization is refused, also to who does not reach the account that has it.
          .filter((value) => isId(value) || place.at(-1) !== 'name')
          .map((value) => ({ place, value })),
      );
      await each(asked, async ({ place, value }) => {
        const [foreign, unknown] = [
          await ask(place, value),
          await ask(place, unknownLike(value, index)),
        ];
        if (JSON.stringify(foreign) !== JSON.stringify(unknown))
          leaks.push({ place: place.join('/'), value, foreign, unknown });
      });
      expect({ count: leaks.length, first: leaks.slice(0, 3) }).toEqual({ count: 0, first: [] });
    },
    120_000,
  );
});

/** True for places that hold a secret, which names nothing; wrong ones lock a member out. */
function isSecret({ secrets }: Operation, place: readonly (string | number)[]): boolean {
  return secrets.includes(`/${place.map((key) => (key === 0 ? '*' : key)).join('/')}`);
}

describe('their organization', () => {
  it('is what it was before anybody of ours called', async () => {
    expect(Object.values(before).flat().length).toBeGreaterThan(50);
    expect(await theirRows()).toEqual(before);
  });
});

/** Lists that have no rows in a world: what fills them is not there yet. */
const emptyLists = new Set<string>(['bridges_get_status']);

/** Some rows are written behind the answer of the call they count. */
async function soon(work: () => Promise<void>, empty = false): Promise<void> {
  if (empty) return;
  for (const until = Date.now() + 20_000; ;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(250);
    }
  }
}
