import { afterAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  createKeyFile,
  CursorRefused,
  Cursors,
  isToken,
  keyOf,
  mintToken,
  readKeyFile,
  Sealer,
  Secret,
} from './index.js';

const newSealer = () => new Sealer(keyOf(randomBytes(32)));

describe('Secret', () => {
  it('prints [secret] however it is printed', () => {
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
  it('opens what it sealed, for the same owner only', () => {
    const sealer = newSealer();
    const sealed = sealer.seal(sealer.createDataKey(), 'acc_1', 'hunter2');
    expect(sealed).not.toContain('hunter2');
    expect(sealer.open('acc_1', sealed).reveal()).toBe('hunter2');
    expect(() => sealer.open('acc_2', sealed)).toThrow();
  });

  it('refuses a text that was changed by one bit, anywhere', () => {
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
      // The last letter of a base64 block may hold bits that mean nothing.
      expect(opened).toBe('text');
    }
  });

  it('names the key that is missing', () => {
    const one = newSealer();
    const sealed = one.seal(one.createDataKey(), 'a', 'text');
    expect(() => newSealer().open('a', sealed)).toThrow('sealed under another key file');
  });

  it('opens what an older key wrapped', () => {
    const old = keyOf(randomBytes(32));
    const before = new Sealer(old);
    const sealed = before.seal(before.createDataKey(), 'a', 'text');
    expect(new Sealer(keyOf(randomBytes(32)), [old]).open('a', sealed).reveal()).toBe('text');
  });
});

describe('a key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-keys-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is made for its user alone and never overwritten', () => {
    const path = join(folder, 'made');
    createKeyFile(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const first = readKeyFile(path).id;
    createKeyFile(path);
    expect(readKeyFile(path).id).toBe(first);
  });

  it('is refused when missing, short or readable by everybody, with the remedy', () => {
    expect(() => readKeyFile(join(folder, 'none'))).toThrow('openssl rand -base64 32');
    const short = join(folder, 'short');
    writeFileSync(short, 'c2hvcnQ=', { mode: 0o600 });
    expect(() => readKeyFile(short)).toThrow('has 5 bytes, it must be 32 bytes');
    chmodSync(short, 0o644);
    expect(() => readKeyFile(short)).toThrow('chmod 600');
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

describe('cursors', () => {
  const key = keyOf(randomBytes(32));

  it('come back as they were issued, in their own context only', () => {
    const cursors = new Cursors(key);
    const cursor = cursors.issue('int_1 query', { offset: 5 });
    expect(cursors.read('int_1 query', cursor)).toEqual({ offset: 5 });
    expect(() => cursors.read('int_2 query', cursor)).toThrow(CursorRefused);
    expect(() => cursors.read('int_1 query', 'nonsense')).toThrow('begin without one');
  });

  it('expire after a day', () => {
    let now = 0;
    const cursors = new Cursors(key, () => now);
    const cursor = cursors.issue('c', 1);
    now = 24 * 60 * 60 * 1000 + 1;
    expect(() => cursors.read('c', cursor)).toThrow('has expired');
  });
});
