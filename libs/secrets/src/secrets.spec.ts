import { afterAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  addKey,
  createKeyFile,
  CursorRefused,
  Cursors,
  isToken,
  keyOf,
  Keyring,
  mintToken,
  openKeyring,
  promoteKey,
  readKeyFile,
  SealedBodies,
  Sealer,
  Secret,
} from './index.js';

const newSealer = () => new Sealer(keyOf(randomBytes(32)));

describe('Secret', () => {
  it('is always printed as [secret]', () => {
    const secret = new Secret('hunter2');
    const prints = [
      String(secret),
      `${secret as unknown as string}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      Object.values(secret).join(),
      [secret].join(),
    ];
    for (const print of prints) expect(print).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });
});

describe('Sealer', () => {
  it('opens a sealed text for the same owner only', () => {
    const sealer = newSealer();
    const sealed = sealer.seal(sealer.createDataKey(), 'acc_1', 'hunter2');
    expect(sealed).not.toContain('hunter2');
    expect(sealer.open('acc_1', sealed).reveal()).toBe('hunter2');
    expect(() => sealer.open('acc_2', sealed)).toThrow();
  });

  it('refuses a text that was modified by one character, anywhere', () => {
    const sealer = newSealer();
    const sealed = sealer.seal(sealer.createDataKey(), 'a', 'text');
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      if (Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))) continue;
      let opened: string | undefined;
      try {
        opened = sealer.open('a', changed).reveal();
      } catch {
        continue;
      }
      // The last character of a base64 block may contain unused bits.
      expect(opened).toBe('text');
    }
  });

  it('names the key that is missing', () => {
    const one = newSealer();
    const sealed = one.seal(one.createDataKey(), 'a', 'text');
    expect(() => newSealer().open('a', sealed)).toThrow('encrypted with another key file');
  });

  it('wraps a data key again, and returns undefined for unknown data keys', () => {
    const ring = new Keyring([keyOf(randomBytes(32))]);
    const sealer = new Sealer(ring);
    const old = sealer.createDataKey();
    const sealed = sealer.seal(old, 'a', 'text');
    expect(sealer.rewrap(old)).toBe(old);
    ring.replace([keyOf(randomBytes(32)), ring.current]);
    const renewed = sealer.rewrap(old) ?? '';
    expect(renewed.startsWith(`${sealer.currentId}.`)).toBe(true);
    ring.replace([ring.current]);
    expect(new Sealer(ring).open('a', sealed.replace(old, renewed)).reveal()).toBe('text');
    expect(new Sealer(ring).rewrap(old)).toBeUndefined();
  });

  it('names the missing keys with which data was sealed', () => {
    const sealer = newSealer();
    expect(() => sealer.checkKnown([{ id: sealer.currentId, domain: null }])).not.toThrow();
    expect(() => sealer.checkKnown([{ id: '0badcafe', domain: null }])).toThrow('0badcafe');
  });

  it('opens texts whose data key an older key wrapped', () => {
    const old = keyOf(randomBytes(32));
    const before = new Sealer(old);
    const sealed = before.seal(before.createDataKey(), 'a', 'text');
    expect(new Sealer(keyOf(randomBytes(32)), [old]).open('a', sealed).reveal()).toBe('text');
  });
});

describe('a key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-keys-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is created for its user only and never overwritten', async () => {
    const path = join(folder, 'made');
    await createKeyFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [first] = await readKeyFile(path);
    await createKeyFile(path);
    expect(await readKeyFile(path)).toEqual([first]);
  });

  it('is refused when missing, empty, short or readable by everyone, with the remedy', async () => {
    await expect(readKeyFile(join(folder, 'none'))).rejects.toThrow('openssl rand -base64 32');
    const path = join(folder, 'short');
    writeFileSync(path, '# no key\n\n', { mode: 0o600 });
    await expect(readKeyFile(path)).rejects.toThrow('contains no key');
    writeFileSync(path, 'c2hvcnQ=');
    await expect(readKeyFile(path)).rejects.toThrow('has 5 bytes, but must be 32 bytes');
    chmodSync(path, 0o644);
    await expect(readKeyFile(path)).rejects.toThrow('chmod 600');
  });

  it('lists the current key first; a new key is added after it and becomes current when it is promoted', async () => {
    const path = join(folder, 'rotated');
    await createKeyFile(path);
    const [old] = await readKeyFile(path);
    expect(() => promoteKey(path)).toThrow('the second key is missing');
    await addKey(path);
    const [still, added] = await readKeyFile(path);
    expect(still).toEqual(old);
    promoteKey(path);
    expect(await readKeyFile(path)).toEqual([added, old]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read again when it changes, and the old keys stay while it cannot be read', async () => {
    const path = join(folder, 'watched');
    await createKeyFile(path);
    const logged: object[] = [];
    const ring = await openKeyring({ keyFile: path }, { error: (line) => logged.push(line) });
    const old = ring.current;
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, 'c2hvcnQ=');
    await until(() => logged.length > 0);
    expect(ring.current).toBe(old);
    writeFileSync(path, good);
    await addKey(path);
    promoteKey(path);
    await until(() => ring.current.id !== old.id);
    expect(ring.find(old.id)).toEqual(old);
    expect(logged).toHaveLength(1);
  });
});

describe('tokens', () => {
  it('are recognized by prefix and checksum', () => {
    const token = mintToken('ofo_');
    expect(isToken(token)).toBe(true);
    expect(isToken(token.replace('ofo_', 'ofi_'))).toBe(false);
    expect(isToken(`${token}0`)).toBe(false);
    expect(isToken('ofo_abc')).toBe(false);
  });
});

describe('texts encrypted with derived keys', () => {
  it('open after a rotation, as long as the old key is available', () => {
    const ring = new Keyring([keyOf(randomBytes(32))]);
    const cursors = new Cursors(ring.derive('cursors'));
    const bodies = new SealedBodies(ring.derive('bus'));
    const cursor = cursors.issue('c', 1);
    const body = bodies.seal('c', Buffer.from('body'));
    const old = ring.current;
    ring.replace([keyOf(randomBytes(32)), old]);
    expect(cursors.read('c', cursor)).toBe(1);
    expect(Buffer.from(bodies.open('c', body)).toString()).toBe('body');
    expect(bodies.seal('c', body).slice(0, 4)).not.toEqual(body.slice(0, 4));
    ring.replace([ring.current]);
    expect(() => cursors.read('c', cursor)).toThrow(CursorRefused);
    expect(() => bodies.open('c', body)).toThrow(old.id);
  });
});

describe('cursors', () => {
  const key = keyOf(randomBytes(32));

  it('return the state they were issued with, in their own context only', () => {
    const cursors = new Cursors(key);
    const cursor = cursors.issue('int_1 query', { offset: 5 });
    expect(cursors.read('int_1 query', cursor)).toEqual({ offset: 5 });
    expect(() => cursors.read('int_2 query', cursor)).toThrow(CursorRefused);
    expect(() => cursors.read('int_1 query', 'nonsense')).toThrow('start without a cursor');
  });

  it('expire after a day', () => {
    let now = 0;
    const cursors = new Cursors(key, () => now);
    const cursor = cursors.issue('c', 1);
    now = 24 * 60 * 60 * 1000 + 1;
    expect(() => cursors.read('c', cursor)).toThrow('has expired');
  });
});
