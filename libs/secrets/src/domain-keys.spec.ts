import { afterAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addKey,
  createKeyFile,
  Cursors,
  Keyring,
  keyOf,
  openBusKeys,
  openKeyring,
  promoteKey,
  readKeyFile,
  Sealer,
  writeKeyFile,
} from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'onefold-domain-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const master = keyOf(randomBytes(32));
const all = new Keyring([master], { domains: ['ticketing', 'edr'] });
const management = new Sealer(all);
/** A process that was given the keys of one domain. */
const teamOf = (domain: string, from = all) => new Sealer(new Keyring(from.forDomain(domain).all));

describe('the key of a domain', () => {
  it('opens what is sealed for the domain, and neither another domain nor what the key-encryption key seals', () => {
    const sealed = (domain?: string) =>
      management.seal(management.createDataKey(domain), 'acc_1', `secret of ${domain}`);
    const ticketing = teamOf('ticketing');
    expect(ticketing.open('acc_1', sealed('ticketing')).reveal()).toBe('secret of ticketing');
    expect(() => ticketing.open('acc_1', sealed('edr'))).toThrow('missing');
    expect(() => ticketing.open('acc_1', sealed())).toThrow('missing');
    expect(management.open('acc_1', sealed('edr')).reveal()).toBe('secret of edr');
  });

  it('has an id of its own, and is another one for each domain and each key-encryption key', () => {
    const other = new Keyring([keyOf(randomBytes(32))]);
    const ids = [
      master.id,
      ...[all, other].flatMap((ring) =>
        ['ticketing', 'edr'].map((domain) => ring.forDomain(domain).current.id),
      ),
    ];
    expect(new Set(ids).size).toBe(5);
  });

  it('seals new data of the domain in a process that has nothing else, which the key-encryption key opens', () => {
    const team = teamOf('ticketing');
    expect(team.sealingDomain('ticketing')).toBe('ticketing');
    expect(management.sealingDomain('ticketing')).toBeUndefined();
    const sealed = team.seal(team.createDataKey('ticketing'), 'acc_1', 'token');
    expect(management.open('acc_1', sealed).reveal()).toBe('token');
    expect(management.domainOf(sealed)).toBe('ticketing');
    expect(() => team.createDataKey('edr')).toThrow('domain-key');
    expect(() => team.createDataKey()).toThrow('ticketing');
  });

  it('is checked at the start for the domains that a process serves', () => {
    const team = teamOf('ticketing');
    const inUse = [
      { id: master.id, domain: null },
      { id: all.forDomain('edr').current.id, domain: 'edr' },
      { id: all.forDomain('ticketing').current.id, domain: 'ticketing' },
    ];
    expect(() => team.checkKnown(inUse, ['ticketing'])).not.toThrow();
    expect(() => team.checkKnown(inUse, ['ticketing', 'edr'])).toThrow('domain edr');
    expect(() => team.checkKnown(inUse)).toThrow('needs the key-encryption key');
    const stranger = { id: '0badcafe', domain: 'ticketing' };
    expect(() => team.checkKnown([stranger], ['ticketing'])).toThrow(
      'the key 0badcafe of the domain ticketing',
    );
    expect(() => management.checkKnown(inUse)).not.toThrow();
  });

  it('stays in use after a rotation until its data keys are wrapped again', () => {
    const ring = new Keyring([master], { domains: ['ticketing'] });
    const sealer = new Sealer(ring);
    const old = sealer.createDataKey('ticketing');
    ring.replace([keyOf(randomBytes(32)), master]);
    const renewed = sealer.rewrap(old) ?? '';
    expect(renewed.split('.')[0]).toBe(ring.forDomain('ticketing').current.id);
    expect(sealer.rewrap(renewed)).toBe(renewed);
    const sealed = teamOf('ticketing').seal(old, 'acc_1', 'text');
    expect(teamOf('ticketing', ring).open('acc_1', sealed).reveal()).toBe('text');
    ring.replace([ring.current]);
    expect(() => teamOf('ticketing', ring).open('acc_1', sealed)).toThrow('missing');
    expect(teamOf('ticketing', ring).open('acc_1', sealed.replace(old, renewed)).reveal()).toBe(
      'text',
    );
  });

  it('makes cursors that processes of the same domain read, and others refuse', () => {
    const cursors = (sealer: Sealer, domain: string) =>
      new Cursors(sealer.derive('cursors', domain));
    const cursor = cursors(teamOf('ticketing'), 'ticketing').issue('query', 1);
    expect(cursors(teamOf('ticketing'), 'ticketing').read('query', cursor)).toBe(1);
    expect(cursors(management, 'ticketing').read('query', cursor)).toBe(1);
    expect(() => cursors(teamOf('edr'), 'edr').read('query', cursor)).toThrow('not a cursor');
  });
});

describe('the file of a team', () => {
  it('has the keys of its domains, which follow a rotation of the file that they are derived from', async () => {
    const path = join(folder, 'whole');
    const team = join(folder, 'team');
    await createKeyFile(path);
    const derive = async () => {
      const ring = await openKeyring({ keyFile: path });
      await writeKeyFile(team, [...ring.forDomain('edr').all, ...ring.forDomain('ticketing').all]);
      return await readKeyFile(team);
    };
    const before = await derive();
    expect(before.map(({ domain }) => domain)).toEqual(['edr', 'ticketing']);
    expect(statSync(team).mode & 0o777).toBe(0o600);
    expect(readFileSync(team, 'utf8')).toMatch(/^domain edr \S+\ndomain ticketing \S+\n$/);
    expect(readFileSync(team, 'utf8')).not.toContain(readFileSync(path, 'utf8').trim());
    await addKey(path);
    promoteKey(path);
    const after = await derive();
    expect(after).toHaveLength(4);
    expect([after[1], after[3]]).toEqual(before);
    await expect(addKey(team)).rejects.toThrow('derive them again');
    expect(() => promoteKey(team)).toThrow('derive them again');
  });

  it('may have keys that were made for a domain, which a process with the key-encryption key uses as well', async () => {
    const path = join(folder, 'configured');
    const [own, whole] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    writeFileSync(path, `${whole}\ndomain edr ${own}\n`, { mode: 0o600 });
    const ring = await openKeyring({ keyFile: path });
    expect(ring.forDomain('edr').current.bytes.toString('base64')).toBe(own);
    expect(ring.current.bytes.toString('base64')).toBe(whole);
  });

  it('is refused where everyone can read it', async () => {
    const path = join(folder, 'open');
    writeFileSync(path, `domain edr ${randomBytes(32).toString('base64')}\n`, { mode: 0o644 });
    await expect(readKeyFile(path)).rejects.toThrow('chmod 600');
  });
});

describe('the keys of the bus', () => {
  const path = join(folder, 'whole-for-bus');
  const busPath = join(folder, 'bus');

  it('are those of the key-encryption key, or of a file for processes without it; during the change both are accepted', async () => {
    await createKeyFile(path);
    const whole = await openKeyring({ keyFile: path });
    await writeKeyFile(busPath, whole.bus.all);
    const none = new Keyring([]);
    const before = (await openBusKeys({}, whole)).derive('bus');
    const changed = (await openBusKeys({ busKeyFile: busPath }, whole)).derive('bus');
    const alone = (await openBusKeys({ busKeyFile: busPath }, none)).derive('bus');
    expect(before.current).toEqual(whole.derive('bus').current);
    expect(before.find(changed.current.id)).toEqual(changed.current);
    expect(changed.find(before.current.id)).toEqual(before.current);
    expect(alone.current).toEqual(changed.current);
    expect(alone.find(before.current.id)).toBeUndefined();
  });

  it('are needed by a process without the key-encryption key, and no key of a domain is one', async () => {
    const team = new Keyring(all.forDomain('edr').all);
    await expect(openBusKeys({}, team)).rejects.toThrow('BUS_KEY_FILE is missing');
    const file = join(folder, 'domain-only');
    await writeKeyFile(file, team.forDomain('edr').all);
    await expect(openBusKeys({ busKeyFile: file }, team)).rejects.toThrow('none of the bus');
    const keys = (await openBusKeys({}, all)).derive('bus');
    expect(keys.find(all.forDomain('edr').current.id)).toBeUndefined();
  });
});
