import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, startNats } from '#test/harness';
import { type Check, diagnose, printChecks } from '../../apps/admin/src/doctor.js';
import { newFolder, type Onefold, startDistributed } from './onefold.js';
import { ended, startApp } from './processes.js';

// The doctor beside an installation that runs: mistakes that only a comparison with the other processes shows.

const gatewayDomains = ['edr,ticketing'];
let onefold: Onefold;
let edr: ReturnType<typeof startApp>;
beforeAll(async () => {
  onefold = await startDistributed({ DOMAINS: 'ticketing' }, { asUsers: false });
  edr = startApp('connector', [], { ...onefold.env, DOMAINS: 'edr' });
  onefold.processes['edr'] = edr;
  await edr.says(/"message":"ready"/);
});
afterAll(() => onefold.stop());

interface Planted {
  as?: string;
  clock?: () => number;
  domains?: string[];
  more?: Record<string, string | undefined>;
}

async function look({ as = 'gateway', clock, domains = gatewayDomains, more = {} }: Planted) {
  const variables = { ...onefold.env, PORT: '0', OBSERVE_PORT: '0', DOMAINS: 'edr', ...more };
  return await diagnose({ as, domains }, { variables, ...(clock && { clock }) });
}

const ofOthers = ['bus key', 'clock of others', 'domains', 'port PORT', 'port OBSERVE_PORT'];
/** The faults of the checks that this spec is about. */
function wrong(checks: readonly Check[]): Record<string, string> {
  return Object.fromEntries(
    checks
      .filter(({ check, ok }) => !ok && [...ofOthers, 'configuration', 'database'].includes(check))
      .map(({ check, says }) => [check, says]),
  );
}

function keyFile(): string {
  const file = join(newFolder(), 'key');
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return file;
}

const views = ['gateway', 'management', 'operations', 'connector'];

it.each(views)('finds nothing wrong with the key, clock and ports of %s', async (as) => {
  await eventually(async () => expect(wrong(await look({ as }))).toEqual({}));
});

it.each(views)('finds the wrong KEY_FILE and the wrong BUS_KEY_FILE of %s', async (as) => {
  const other = keyFile();
  const ofKey = wrong(await look({ as, more: { KEY_FILE: other } }));
  expect(ofKey['bus key']).toMatch(
    /the others use the key [0-9a-f]{8}, and this process has .*KEY_FILE/,
  );
  const ofBus = wrong(await look({ as, more: { BUS_KEY_FILE: other } }));
  expect(ofBus['bus key']).toMatch(/of BUS_KEY_FILE|\(BUS_KEY_FILE\)/);
  const ofNone = wrong(await look({ as, more: { KEY_FILE: join(other, 'none') } }));
  expect(ofNone['bus key']).toContain('KEY_FILE: there is no file');
});

it('finds a clock that is off at a gateway, which has no database to compare it with', async () => {
  for (const offMs of [600_000, -600_000, 20_000]) {
    const found = wrong(await look({ clock: () => Date.now() + offMs }));
    const direction = offMs > 0 ? 'behind' : 'ahead';
    expect(found['clock of others']).toMatch(new RegExp(`is \\d+ s ${direction}.*NTP`));
  }
});

it('finds a domain that no connector serves, unless it is not wanted', async () => {
  const found = wrong(await look({ domains: ['edr,ticketing,siem'] }));
  expect(found['domains']).toMatch(/no connector serves siem\. Start one/);
  const all = await diagnose({ as: 'gateway' }, { variables: { ...onefold.env, PORT: '0' } });
  expect(wrong(all)['domains']).toMatch(/no connector serves appsec, .*--domains/);
  await expect(look({ domains: ['crm'] })).rejects.toThrow('There is no domain "crm"');
});

it('names a domain that does not exist in a whole sentence', async () => {
  const found = wrong(await look({ as: 'connector', more: { DOMAINS: 'ticketing,crm' } }));
  expect(found['configuration']).toMatch(
    /^DOMAINS must be one of the following values: appsec, .*but it is "ticketing,crm"/,
  );
});

it('finds a port that another program has, and knows its own process', async () => {
  const stranger: Server = createServer((socket) => socket.end('220 ready\r\n'));
  await once(stranger.listen(0, '127.0.0.1'), 'listening');
  const taken = String((stranger.address() as { port: number }).port);
  try {
    const found = wrong(await look({ more: { PORT: taken, OBSERVE_PORT: taken } }));
    expect(found['port PORT']).toContain(`${taken}: the port of the API is in use`);
    expect(found['port OBSERVE_PORT']).toMatch('choose another one with OBSERVE_PORT');
  } finally {
    stranger.close();
  }
  const [, observe = ''] =
    (await onefold.processes['management']?.says(/"observe":"([^"]+)"/)) ?? [];
  const OBSERVE_PORT = new URL(observe).port;
  expect(wrong(await look({ as: 'management', more: { OBSERVE_PORT } }))).toEqual({});
  const other = wrong(await look({ as: 'connector', more: { OBSERVE_PORT } }));
  expect(other['port OBSERVE_PORT']).toContain('It is the management of Onefold.');
  expect(wrong(await look({ more: { PORT: onefold.env?.['PORT'] } }))).toEqual({});
});

it.each(['gateway', 'management', 'admin', 'standalone'] as const)(
  'is an error that names it: an empty variable of %s',
  async (app) => {
    const variable = app === 'gateway' ? 'KEY_FILE' : 'DATABASE_URL';
    const env = { ...onefold.env, PORT: '0', [variable]: '' };
    const { code, text } = await ended(startApp(app, app === 'admin' ? ['token'] : [], env));
    expect(code).toBe(1);
    expect(text).toMatch(new RegExp(`${variable} is (?:empty: set it, or remove it|missing)`));
  },
);

it('finds an empty variable, and ends with the command to run next', async () => {
  const checks = await look({ as: 'management', more: { DATABASE_URL: '' } });
  expect(wrong(checks)['configuration']).toContain('DATABASE_URL is empty');
  const text = printChecks(checks, false, 'management');
  expect(text.split('\n').at(-1)).toMatch(/^Next: npm run -s admin -- /);
  const well = printChecks([{ check: 'nats', ok: true, says: 'it answers' }], false, 'gateway');
  expect(well).toMatch(/\nNext: node dist\/run\/apps\/gateway\/src\/main\.js$/);
  const clock = await look({ clock: () => Date.now() + 600_000 });
  expect(clock.find(({ check }) => check === 'clock of others')?.next).toBe(
    'timedatectl set-ntp true',
  );
});

it('compares nothing where no other process is on the bus yet', async () => {
  const empty = await startNats();
  try {
    const checks = await look({ more: { NATS_URL: empty.url } });
    expect(checks.find(({ check }) => check === 'bus key')).toEqual({
      check: 'bus key',
      ok: true,
      says: expect.stringContaining('no other process is on the bus yet'),
    });
  } finally {
    await empty.stop();
  }
});
