import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createIds } from '#config';
import type { Call, Caller, ManagementSchemas } from '#contract';
import { createMember, hashNewPassword, memberView, resetPassword } from '#management/members';
import { ManagementContext } from '#management/core';
import { createOrganization } from '#management/tokens';
import { keyOf, Sealer } from '#secrets';
import { connectDatabase, Store, wholeOrganization } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { AuthHandlers } from './auth.handlers.js';
import { signIn } from './sign-in.js';

const secret = 'correct horse battery';
const minute = 60_000;
const day = 24 * 60 * minute;

let now = Date.parse('2026-01-01T00:00:00Z');
const clock = { now: () => now };
let database: TestDatabase;
let context: ManagementContext;
let handlers: AuthHandlers;
let caller: Caller;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const store = new Store(await connectDatabase({ url: database.url }));
  context = new ManagementContext(
    store,
    new Sealer(keyOf(randomBytes(32))),
    clock,
    createIds(clock),
  );
  handlers = new AuthHandlers(context);
  const made = await createOrganization(context, {
    name: 'acme',
    fullname: 'Acme',
    administrator: 'administrator',
  });
  caller = {
    tokenId: made.tokenId,
    scope: 'organization',
    organizationId: made.organizationId,
    memberId: made.memberId,
    permissions: [{ permissionSet: 'administrator' }],
  };
});
afterAll(async () => {
  await context.store.close();
  await database.drop();
});

async function member(name: string, options: ManagementSchemas['Options'][] = []): Promise<string> {
  const hash = await hashNewPassword(secret, '/secret');
  const body = { name, secret, type: 'personal', role_binding: ['member'], options: { options } };
  return await context.store.write(wholeOrganization(caller.organizationId), async (tx) => {
    const made = await createMember(context, tx, caller, body as never, hash);
    return made.id;
  });
}
const read = (id: string) =>
  context.store.read(wholeOrganization(caller.organizationId), async (tx) =>
    memberView(await tx.members.get(id)),
  );
/** Returns the auth code of a logon. */
async function logon(name: string, password = secret): Promise<string> {
  const call = { path: { organizationId: 'acme' }, body: { name, secret: password } };
  try {
    const reply = await handlers.logon(call as Call<'auth_logon'>);
    return (reply as { result: { auth_code: string } }).result.auth_code;
  } catch (error) {
    return (error as { options: { detail: string } }).options.detail;
  }
}
const fail = async (name: string, times: number) => {
  const codes = [];
  for (let round = 0; round < times; round += 1) codes.push(await logon(name, 'wrong password'));
  return codes;
};

describe('the lock of a name', () => {
  it('ends after a quarter of an hour, and the member has their former state', async () => {
    const id = await member('lock@example.com', ['invited']);
    expect((await fail('lock@example.com', 5)).at(-1)).toBe('locked');
    expect((await read(id)).state).toBe('locked');
    now += 14 * minute;
    expect(await logon('lock@example.com')).toBe('locked');
    now += minute;
    expect(await logon('lock@example.com')).toBe('invited');
    expect((await read(id)).state).toBe('invited');
  });

  it('is not extended by attempts while it lasts', async () => {
    await member('prolonged@example.com');
    await fail('prolonged@example.com', 5);
    now += 10 * minute;
    expect(await fail('prolonged@example.com', 3)).toEqual(['locked', 'locked', 'locked']);
    now += 5 * minute;
    expect(await logon('prolonged@example.com')).toBe('success');
  });

  it('resets the failures after a logon, and after a quarter of an hour', async () => {
    await member('forgets@example.com');
    await fail('forgets@example.com', 4);
    expect(await logon('forgets@example.com')).toBe('success');
    expect(await fail('forgets@example.com', 4)).not.toContain('locked');
    now += 15 * minute;
    expect(await fail('forgets@example.com', 4)).not.toContain('locked');
    expect(await logon('forgets@example.com')).toBe('success');
  });

  it('does not prevent sign-on through an identity provider', async () => {
    const id = await member('by-sso@example.com', ['invited']);
    await fail('by-sso@example.com', 5);
    const result = await context.store.write(
      wholeOrganization(caller.organizationId),
      async (tx) => await signIn(context, tx, await tx.members.get(id), 'sso'),
    );
    expect(result.auth_code).toBe('success');
    expect(await logon('by-sso@example.com')).toBe('locked');
    now += 15 * minute;
    expect(await logon('by-sso@example.com')).toBe('success');
  });

  it('keeps a disabled member disabled', async () => {
    const id = await member('disabled@example.com', ['disabled']);
    await fail('disabled@example.com', 5);
    now += 15 * minute;
    expect(await logon('disabled@example.com')).toBe('disabled');
    expect((await read(id)).state).toBe('disabled');
  });
});

it('answers 402 for a disabled organization to its members only', async () => {
  const other = await createOrganization(context, {
    name: 'closed',
    fullname: 'Closed',
    administrator: 'administrator',
  });
  const { password } = await resetPassword(context, other.organizationId, 'administrator');
  await context.store.write(wholeOrganization(other.organizationId), (tx) =>
    tx.query(`update organizations set state = 'disabled' where id = $1`, [other.organizationId]),
  );
  const status = async (secretTried: string) => {
    const body = { name: 'administrator', secret: secretTried };
    const call = { path: { organizationId: 'closed' }, body } as Call<'auth_logon'>;
    return await handlers.logon(call).catch((error: { status: number }) => error.status);
  };
  expect(await status('wrong password')).toBe(401);
  expect(await status(password)).toBe(402);
});

it('accepts the password of the command line once, for a member who forgot theirs', async () => {
  const id = await member('forgot@example.com');
  await fail('forgot@example.com', 5);
  const { password } = await resetPassword(context, caller.organizationId, 'forgot@example.com');
  expect(password).toHaveLength(72);
  expect(await logon('forgot@example.com')).toBe('failure');
  expect(await logon('forgot@example.com', password)).toBe('expired');
  expect((await read(id)).state).toBe('forgotten');
  const [token] = await context.store.read(wholeOrganization(caller.organizationId), (tx) =>
    tx.tokens.all({ memberId: id }),
  );
  const own: Caller = { ...caller, tokenId: token?.id ?? '', memberId: id, session: 'password' };
  const body = { old_secret: password, new_secret: 'chosen by myself' };
  const call = { operation: 'auth_change_password', caller: own, body };
  await handlers.changePassword(call as Call<'auth_change_password'>);
  expect(await logon('forgot@example.com', 'chosen by myself')).toBe('success');
  await expect(resetPassword(context, caller.organizationId, 'nobody')).rejects.toThrow(
    'there is no member "nobody"',
  );
});

describe('time', () => {
  it('ends invitations after 168 hours, and forgotten passwords after 24', async () => {
    await member('invited@example.com', ['invited']);
    await member('forgotten@example.com', ['forgotten']);
    now += day - minute;
    expect(await logon('forgotten@example.com')).toBe('expired'); // to be changed
    now += minute;
    const call = {
      path: { organizationId: 'acme' },
      body: { name: 'forgotten@example.com', secret },
    };
    await expect(handlers.logon(call as Call<'auth_logon'>)).rejects.toMatchObject({ status: 401 });
    now += 6 * day - minute;
    expect(await logon('invited@example.com')).toBe('invited');
    now += minute;
    expect(await logon('invited@example.com')).toBe('expired');
  });

  it('makes a password old after 4320 hours', async () => {
    await member('old@example.com');
    now += 180 * day - minute;
    expect(await logon('old@example.com')).toBe('success');
    now += minute;
    const call = { path: { organizationId: 'acme' }, body: { name: 'old@example.com', secret } };
    const reply = await handlers.logon(call as Call<'auth_logon'>);
    expect(reply).toMatchObject({
      result: { auth_code: 'expired', auth_msg: expect.anything() as unknown },
    });
  });

  it('keeps no more than fifty sessions of a member', async () => {
    const id = await member('many@example.com');
    for (let round = 0; round < 52; round += 1) {
      now += 1_000;
      await logon('many@example.com');
    }
    const sessions = await context.store.read(wholeOrganization(caller.organizationId), (tx) =>
      tx.tokens.all({ memberId: id }),
    );
    expect(sessions).toHaveLength(50);
  });
});
