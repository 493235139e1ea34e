import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { createKeyFile } from '#secrets';
import { freePort, type NatsServer, startNats } from '#test/harness';
import { admin, natsUser, newFolder, startNatsWithUsers } from '../../../test/e2e/onefold.js';
import { ended, startApp } from '../../../test/e2e/processes.js';
import { type Check, diagnose } from './doctor.js';
import { printNatsPermissions } from './nats-users.js';

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsWithUsers();
});
afterAll(() => nats.stop());

async function ofBus(as: string, variables: Record<string, string>, url = nats.url) {
  const checks = await diagnose({ as }, { variables: { NATS_URL: url, ...variables } });
  return checks.filter(({ check }) => /^(nats|permissions)/.test(check));
}
const wrong = (checks: readonly Check[]) => checks.filter(({ ok }) => !ok);

it.each(['gateway', 'management', 'operations', 'connector'])(
  'finds nothing wrong with the NATS user of %s',
  async (as) => {
    expect(await ofBus(as, natsUser(as))).toEqual([
      { check: 'nats', ok: true, says: expect.stringMatching(/^nats-server 2\.\d+/) },
      { check: `permissions of ${as}`, ok: true, says: expect.stringContaining('nothing else') },
    ]);
  },
);

it('takes the process from the user, and a connector from its domains', async () => {
  const one = await ofBus('service', natsUser('connector-ticketing'));
  expect(one.map(({ check, ok }) => [check, ok])).toContainEqual([
    'permissions of connector-ticketing',
    true,
  ]);
  const ticketing = await ofBus('connector', {
    ...natsUser('connector-ticketing'),
    DOMAINS: 'ticketing',
  });
  expect(wrong(ticketing)).toEqual([]);
});

it('names what a user may not do, and what it may do too much', async () => {
  const [fault] = wrong(await ofBus('connector', natsUser('connector-ticketing')));
  expect(fault?.says).toMatch(/may not subscribe onefold\.inbox\.connector\.\*\.\*.* and \d+ more/);
  const [other] = wrong(await ofBus('gateway', natsUser('operations')));
  expect(other?.says).toMatch(
    /may not .*; it may .*which only other processes need.*nats-permissions/,
  );
});

it('tries every user whose password is given as that of nats-server is', async () => {
  const checks = await ofBus('gateway', {
    ...natsUser('gateway'),
    NATS_PASSWORD_MANAGEMENT: 'password-of-management',
    NATS_PASSWORD_CONNECTOR_EDR: 'another',
  });
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['nats', true],
    ['permissions of gateway', true],
    ['permissions of management', true],
    ['permissions of connector-edr', false],
  ]);
  expect(checks.at(-1)?.says).toContain('refuses the user or the password');
});

it('names a server that is not reached, refuses the user, or lets everybody do everything', async () => {
  const nowhere = `nats://127.0.0.1:${await freePort()}`;
  const [closed] = wrong(await ofBus('gateway', natsUser('gateway'), nowhere));
  expect(closed).toMatchObject({ check: 'nats', says: expect.stringContaining('is not reached') });
  const [refused] = wrong(await ofBus('gateway', { NATS_USER: 'gateway', NATS_PASSWORD: 'x' }));
  expect(refused?.says).toContain('refuses the user or the password');
  const open = await startNats();
  try {
    const [anybody] = wrong(await ofBus('gateway', {}, open.url));
    expect(anybody?.says).toMatch(/which only other processes need/);
  } finally {
    await open.stop();
  }
});

it('names a server that accepts only small messages', async () => {
  const small = await startNats('max_payload: 65536\n');
  try {
    const [fault] = wrong(await ofBus('gateway', {}, small.url));
    expect(fault?.says).toContain('Set its max_payload to 1048576');
  } finally {
    await small.stop();
  }
});

it('publishes at no subject where a process listens', async () => {
  const heard: string[] = [];
  const users = printNatsPermissions().replace(
    'users: [',
    'users: [\n    { user: "observer", password: "observer" }',
  );
  const watched = await startNats(
    users,
    Object.fromEntries([...users.matchAll(/\$(\w+)/g)].map(([, name = '']) => [name, 'secret'])),
  );
  const observer = await connect({ servers: watched.url, user: 'observer', pass: 'observer' });
  try {
    observer.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
    await observer.flush();
    const user = { NATS_USER: 'management', NATS_PASSWORD: 'secret' };
    expect(wrong(await ofBus('management', user, watched.url))).toEqual([]);
    await observer.flush();
  } finally {
    await observer.close();
    await watched.stop();
  }
  expect(heard.length).toBeGreaterThan(10);
  for (const subject of heard) expect(subject.split('.').at(-1)).toBe('doctor');
});

it('ends with 1 if something is wrong, and with 0 if nothing is', async () => {
  const keyFile = join(newFolder(), 'key');
  await createKeyFile(keyFile);
  const env = {
    NATS_URL: nats.url,
    ...natsUser('gateway'),
    KEY_FILE: keyFile,
    PORT: '0',
    OBSERVE_PORT: '0',
  };
  const checks = JSON.parse(await admin(env, 'doctor', '--as', 'gateway', '--json')) as Check[];
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['configuration', true],
    ['port OBSERVE_PORT', true],
    ['port PORT', true],
    ['nats', true],
    ['permissions of gateway', true],
    ['bus key', true],
    ['dns', true],
  ]);
  const { code, text } = await ended(startApp('admin', ['doctor', '--as', 'service'], env));
  expect(code).toBe(1);
  expect(text).toMatch(/^WRONG {2}database: DATABASE_URL is missing/m);
});
