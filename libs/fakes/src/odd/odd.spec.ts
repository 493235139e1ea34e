import { describe, expect, it } from '@jest/globals';
import { TestFake } from '../test-fake.fixture.js';

const errors = `
auth:
  principals: { admin: ['*'] }
  accepts: [{ kind: secret, secret: this.headers.key }]
limits: { default: { requests: 400, seconds: 60 } }
errors:
  body: root.message = this.error.message
  unauthenticated: { status: 401, message: who }
  expired_token: { status: 401, message: late }
  forbidden: { status: 403, message: 'not licensed: {this.error.detail}' }
  no_route: { status: 404, message: no such route }
  no_method: { status: 405, message: no such method }
  limited: { status: 429, message: slow down }
  failure: { status: 500, message: it broke }
  bad_cursor: { status: 400, message: no such cursor }
`;
const page = '{ kind: cursor, size: this.query.limit, token: this.query.after }';
const list = (from: string) =>
  `{ access: '${from}:read', list: { from: ${from}, page: ${page} }, body: 'root = {"rows": this.rows, "next": this.page.next}' }`;
const source = (odd = '', whole = '') => `fake: acme${errors}
let: { zone: UTC }
odd: { let: { zone: Asia/Kathmandu } }
collections:
  devices:
    from: this.world.devices
    row: |
      root.id = this.it.key
      root.name = this.it.hostname
      root.owner.login = this.it.owner
      root.state = if this.it.owner == null { "free" } else { "used" }
      root.tags = [{"name": this.it.hostname}]
    odd: { ${odd} }
  people:
    from: this.world.people
    id: this.key
routes:
  GET /devices: ${list('devices')}
  GET /devices/{id}:
    access: devices:read
    with: { device: { from: devices, id: this.path.id } }
    body: root = this.with.device
  GET /people: ${list('people')}
  GET /zone: { access: none, body: root.zone = this.let.zone }${whole}
`;

type Device = Record<string, never> & {
  id: string;
  name?: string | null;
  owner?: { login?: string | null } | null;
  state?: string | null;
  tags?: { name?: string | null }[] | null;
};

function open(text: string, dataset: 'BASIC' | 'ODD' = 'ODD') {
  const fake = new TestFake(text, { dataset });
  const [{ secret = '' } = {}] = fake.engine.credentials();
  return { fake, call: (request: string) => fake.call(request, { headers: { key: secret } }) };
}

async function readDevices({ fake, call }: ReturnType<typeof open>): Promise<Device[]> {
  fake.engine.limits.override = { requests: 1_000, seconds: 1 };
  const devices: Device[] = [];
  let after = '';
  do {
    const { body } = await call(`GET /devices?limit=500&after=${after}`);
    const { rows, next } = body as { rows: Device[]; next: string | null };
    devices.push(...rows);
    after = next ?? '';
  } while (after !== '');
  expect(fake.engine.log.violations).toEqual([]);
  return devices;
}

describe('the dataset ODD', () => {
  it('has each value missing in one record and null in another, and the id in all', async () => {
    const devices = (await readDevices(open(source()))).slice(0, 25);
    expect(new Set(devices.map(({ id }) => id)).size).toBe(25);
    const missing = (value: (one: Device) => unknown) => [
      devices.filter((one) => value(one) === undefined).length,
      devices.filter((one) => value(one) === null).length,
    ];
    expect(missing(({ name }) => name)).toEqual([1, 1]);
    expect(missing(({ owner }) => owner)).toEqual([1, 1]);
    expect(missing(({ state }) => state)).toEqual([1, 1]);
    expect(missing(({ tags }) => tags)).toEqual([1, 1]);
    expect(missing(({ tags }) => (tags ?? [{ name: '' }])[0]?.name)).toEqual([1, 1]);
  });

  it('leaves alone what the document says is always there, and what is around it', async () => {
    const devices = await readDevices(open(source('always: [name, owner.login]')));
    expect(devices.filter(({ name, owner }) => !name || !owner)).toEqual([]);
    expect(devices.some(({ state }) => state === undefined)).toBe(true);
    const whole = await readDevices(open(source("always: ['*']")));
    expect(whole.some((one) => !('state' in one) || one.tags === null)).toBe(false);
  });

  it('has null alone where the vendor writes every field', async () => {
    const text = source().replace('odd: { let', 'odd: { nulls: true, let');
    const devices = await readDevices(open(text));
    expect(devices.filter((one) => !('name' in one) || !('tags' in one))).toEqual([]);
    expect(devices.some(({ name }) => name === null)).toBe(true);
  });

  it('adds a record with nothing but what all have, and those that the document names', async () => {
    const text = source('always: [name], beside: [{ state: deleted }, { owner: null }]');
    const added = (await readDevices(open(text))).slice(25);
    expect(added).toMatchObject([
      { name: 'WS-01', state: 'deleted', owner: { login: 'p1' } },
      { name: 'WS-01', state: 'used', owner: null },
      { name: 'WS-01' },
    ]);
    expect(Object.keys(added[2] ?? {})).toEqual(['id', 'name']);
    const open1 = open(text);
    const shown = await open1.call(`GET /devices/${added[0]?.id}`);
    expect(shown.body).toEqual(added[0]);
    const [listed] = open1.fake.engine.odd.listedIds(new Set(['GET /devices']));
    expect(listed?.added).toEqual(added.map(({ id }) => id));
    expect(listed?.own).toHaveLength(25);
  });

  it('has names of customers instead of the vendor, the same for the same name', async () => {
    const devices = await readDevices(open(source("own_names: [state], always: ['*']")));
    const names = [...new Set(devices.map(({ state }) => state))];
    expect(names).toHaveLength(2);
    expect(names.join()).not.toMatch(/free|used/);
  });

  it('has times with an offset in the zone of another user, which are the same instants', async () => {
    const text = source("always: ['*']").replace(
      'root.name =',
      'root.seen = this.it.seen.ts_format("2006-01-02T15:04:05.000-0700", "Europe/Amsterdam")\n      root.name =',
    );
    const firstOf = async (dataset: 'BASIC' | 'ODD') =>
      (await readDevices(open(text, dataset)))[0] as unknown as { seen: string };
    const [plain, first] = [await firstOf('BASIC'), await firstOf('ODD')];
    expect([plain.seen, first.seen]).toEqual([
      '2026-11-01T01:00:00.000+0100',
      '2026-11-01T05:45:00.000+0545',
    ]);
  });

  it('has as many records as the document asks for', async () => {
    const text = source("rows: 101, always: ['*']").replace(
      'root.name =',
      'root.seen = this.it.seen\n      root.name =',
    );
    const devices = await readDevices(open(text));
    expect(new Set(devices.map(({ id }) => id)).size).toBe(101);
    // The copies of a record are ten minutes apart.
    const seen = devices.filter(({ name }) => name === devices[0]?.name).map((one) => one['seen']);
    expect(new Set(seen).size).toBe(seen.length - 1); // the bare record is of the time of the first one
  });

  it('copies records whose ids are times, or have several parts, and numbers that are times', async () => {
    const made = async (row: string, id: string) => {
      const text = source("rows: 40, always: ['*'], bare: false")
        .replace('    odd: {', `    id: ${id}\n    odd: {`)
        .replace('root.id = this.it.key', `root.id = this.it.key\n      ${row}`);
      return await readDevices(open(text));
    };
    const times = await made(
      'root.sent = "%d.000100".format(1794745000 + this.index)\n      root.seen_at = 1794745000 + this.index',
      'this.sent',
    );
    expect([times[3], times[28]]).toMatchObject([
      { sent: '1794745003.000100', seen_at: 1_794_745_003 },
      { sent: '1794744403.000100', seen_at: 1_794_744_403 },
    ]);
    const parts = await made(
      'root.number = this.index + 1\n      root.seen_at = (1794745000 + this.index) * 1000',
      '\'"lab:" + this.number.string()\'',
    );
    expect([parts[3], parts[28]]).toMatchObject([
      { number: 4, seen_at: 1_794_745_003_000 },
      { number: 900_000_028, seen_at: 1_794_744_403_000 },
    ]);
  });

  it('caps pages, but not those that the vendor fills', async () => {
    const count = async (text: string) => {
      const { body } = await open(text).call('GET /devices?limit=500');
      return (body as { rows: unknown[] }).rows.length;
    };
    expect(await count(source())).toBe(10);
    expect(await count(source().replace('token: this', 'whole: true, token: this'))).toBe(26);
  });

  it('has the limits of a small tier and the constants that the document names', async () => {
    const { call } = open(source());
    expect((await call('GET /zone')).body).toEqual({ zone: 'Asia/Kathmandu' });
    const statuses = [];
    for (let index = 0; index < 21; index += 1) statuses.push((await call('GET /devices')).status);
    expect(statuses.indexOf(429)).toBe(20);
  });

  it('refuses the part with the fewest routes as not licensed, or another, or none', async () => {
    const refused = async (text: string, dataset: 'BASIC' | 'ODD' = 'ODD') => {
      const { call } = open(text, dataset);
      const statuses = [];
      for (const path of ['devices', 'people']) statuses.push((await call(`GET /${path}`)).status);
      return statuses;
    };
    expect(await refused(source())).toEqual([200, 403]);
    expect(await refused(source(), 'BASIC')).toEqual([200, 200]);
    const naming = (name: string) =>
      source().replace('odd: { let', `odd: { unlicensed: ${name}, let`);
    expect(await refused(naming('devices:read'))).toEqual([403, 200]);
    expect(await refused(naming('false'))).toEqual([200, 200]);
    expect(() => open(naming('cases:read'))).toThrow(/unknown scope "cases:read"/);
  });

  it('names a record that has the id of another one', async () => {
    const { fake, call } = open(source('beside: [{ id: d1 }]'));
    expect((await call('GET /devices')).status).toBe(500);
    expect(fake.engine.log.violations).toMatchObject([
      { place: 'collections.devices.odd.beside.0', message: /another record has its id/ },
    ]);
  });
});
