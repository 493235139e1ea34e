import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Keyring, keyOf, Sealer } from '#secrets';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { connectDatabase, dataKey, rewrap, Store, wholeOrganization } from './index.js';

let database: TestDatabase;
let owner: pg.Client;
let store: Store;
const now = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: database.url, poolSize: 4 }));
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await store.close();
  await database.drop();
});

const oldKey = keyOf(randomBytes(32));
const newKey = keyOf(randomBytes(32));
const ring = new Keyring([oldKey]);
const sealer = new Sealer(ring);

/** A credential of an account, as a call writes it. @param beforeCommit what happens while the call is under way */
async function writeCredential(
  organizationId: string,
  accountId: string,
  id: string,
  beforeCommit: () => Promise<void> = async () => undefined,
): Promise<void> {
  await store.write(wholeOrganization(organizationId), async (tx) => {
    const sealed = sealer.seal(await dataKey(tx, sealer, accountId, now), accountId, `of ${id}`);
    await beforeCommit();
    await tx.credentials.insert({
      id,
      organizationId,
      name: id,
      fullname: id,
      createdAt: now,
      updatedAt: now,
      ownerType: 'account',
      ownerId: accountId,
      accountId,
      configType: 'token',
      sealed,
      expires: null,
      managed: false,
    });
  });
}

/** Returns the texts of all tables and columns that are encrypted with a key. */
async function textsUnder(id: string): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `select r::text as text from ${name} r where r::text ~ $1`,
      [`\\m${id}\\.`],
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

it('puts data keys and what they sealed under the new key while calls go on', async () => {
  for (const organization of ['org_1', 'org_2']) {
    await owner.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $1, $1, 'root', 't', $2, $2)`,
      [organization, now],
    );
    for (const account of [`${organization}_a`, `${organization}_b`]) {
      await owner.query(
        `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
         values ($1, $2, $1, $1, 'prod', '{}', $3, $3)`,
        [account, organization, now],
      );
      for (let index = 0; index < 10; index += 1)
        await writeCredential(organization, account, `${account}_${index}`);
    }
  }
  // Sealed inside of a document, and a text of a customer that only looks sealed.
  const [{ sealed = '' } = {}] = (
    await owner.query<{ sealed: string }>(`select sealed from credentials where id = 'org_1_a_0'`)
  ).rows;
  const lookalike = `v1.${oldKey.id}.${'A'.repeat(80)}.AAAA`;
  await owner.query(
    `insert into integrations (id, organization_id, account_id, name, fullname, category, provider_type, provider_fullname,
       provider_config, refresh_token_id, created_at, updated_at)
     values ('int_1', 'org_1', 'org_1_a', 'i', $2, 'ticketing', 'p', 'p', $1, 't', $3, $3)`,
    [{ nested: [{ $sealed: sealed }] }, lookalike, now],
  );
  const untouched = sealed.split('.').at(-1);

  ring.replace([newKey, oldKey]);
  // One call is under way with the old data key when the rotation begins: the rotation waits for it.
  let goOn = (): void => undefined;
  const underWay = new Promise<void>((resolve) => (goOn = resolve));
  const slow = writeCredential('org_2', 'org_2_b', 'slow', () => underWay);
  let rotated = false;
  let written = 0;
  const others = (async () => {
    while (!rotated) await writeCredential('org_1', 'org_1_b', `during_${(written += 1)}`);
  })();
  setTimeout(goOn, 300);
  const done = await rewrap(owner, sealer);
  rotated = true;
  await Promise.all([slow, others]);

  expect(done.dataKeys).toBe(4);
  expect(done.sealedTexts).toBeGreaterThanOrEqual(41);
  expect(written).toBeGreaterThan(0);
  // The name of the integration, in its row and in that of its state.
  expect(await textsUnder(oldKey.id)).toEqual([
    expect.stringMatching(/^integration_status: .*A{80}/),
    expect.stringMatching(/^integrations: .*A{80}/),
  ]);
  const alone = new Sealer(newKey);
  const { rows } = await owner.query<{ id: string; account_id: string; sealed: string }>(
    'select id, account_id, sealed from credentials',
  );
  expect(rows).toHaveLength(41 + written);
  for (const { id, account_id: account, sealed: text } of rows)
    expect(alone.open(account, text).reveal()).toBe(`of ${id}`);
  const [integration] = (
    await owner.query<{ provider_config: { nested: { $sealed: string }[] } }>(
      'select provider_config from integrations',
    )
  ).rows;
  const inside = integration?.provider_config.nested[0]?.$sealed ?? '';
  expect(alone.open('org_1_a', inside).reveal()).toBe('of org_1_a_0');
  expect(inside.split('.').at(-1)).toBe(untouched); // the data itself was not sealed anew
  expect(await rewrap(owner, sealer)).toEqual({ dataKeys: 0, sealedTexts: 0 });
});

it('says which key is missing, and changes nothing', async () => {
  const before = await textsUnder(newKey.id);
  const stranger = new Sealer(keyOf(randomBytes(32)));
  await expect(rewrap(owner, stranger)).rejects.toThrow(newKey.id);
  expect(await textsUnder(newKey.id)).toEqual(before);
  expect(await store.keysInUse()).toEqual([{ id: newKey.id, domain: null }]);
});

it('puts data keys of a domain under the new key of the domain, and leaves those of a domain with a key that did not change', async () => {
  const made = randomBytes(32);
  const kept = keyOf(made, 'edr');
  const [first, second] = [keyOf(randomBytes(32)), keyOf(randomBytes(32))];
  const keys = new Keyring([first, kept, newKey], { domainKeys: true });
  const domains = new Sealer(keys);
  const scope = wholeOrganization('org_1');
  const seal = (domain: string, text: string) =>
    store.write(scope, async (tx) => {
      const owner = { id: 'org_1_a', domain };
      const sealed = domains.seal(await dataKey(tx, domains, owner, now), owner.id, text);
      await tx.query(
        `insert into provider_tokens (organization_id, key, sealed) values ('org_1', $1, $2)`,
        [domain, sealed],
      );
    });
  await seal('ticketing', 'of ticketing');
  await seal('edr', 'of edr');
  const teams = () => ({
    ticketing: new Sealer(new Keyring(keys.forDomain('ticketing').all.slice(0, 1))),
    edr: new Sealer(new Keyring([kept])),
  });
  const before = teams();

  keys.replace([second, first, kept, newKey]);
  const { dataKeys, sealedTexts } = await rewrap(owner, domains);
  expect(dataKeys).toBe(5); // that of ticketing, and those of the four accounts
  expect(sealedTexts).toBeGreaterThan(40);
  keys.replace([second, kept]);
  const inUse = await store.keysInUse();
  expect(inUse).toHaveLength(3);
  expect(() => domains.checkKnown(inUse)).not.toThrow();
  const { rows } = await owner.query<{ key: 'ticketing' | 'edr'; sealed: string }>(
    'select key, sealed from provider_tokens',
  );
  const sealedFor = Object.fromEntries(rows.map(({ key, sealed }) => [key, sealed]));
  const { ticketing = '', edr = '' } = sealedFor;
  expect(teams().ticketing.open('org_1_a', ticketing).reveal()).toBe('of ticketing');
  expect(teams().edr.open('org_1_a', edr).reveal()).toBe('of edr');
  expect(before.edr.canOpen(edr)).toBe(true);
  expect(before.ticketing.canOpen(ticketing)).toBe(false);
  expect(teams().edr.canOpen(ticketing)).toBe(false);
  expect(await rewrap(owner, domains)).toEqual({ dataKeys: 0, sealedTexts: 0 });
});
