import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '#secrets';
import { isSigned } from './webhook-signature.js';

type Signature = Parameters<typeof isSigned>[2];

const content = Buffer.from('msg_1.1760000000.{"id": 7}');
const key = Buffer.from('0123456789abcdef01234567');
const mac = (under: Uint8Array, as: 'hex' | 'base64' = 'base64', algorithm = 'sha256') =>
  createHmac(algorithm, under).update(content).digest(as);
const check = (header: string, signature: Omit<Signature, 'header'>, secret: string) =>
  isSigned(header, content, { header: 'x', ...signature }, [new Secret(secret)]);

describe('the signature of a message', () => {
  const standard = { prefix: 'v1,', encoding: 'base64' } as const;
  const secret = `whsec_${key.toString('base64')}`;
  const good = `v1,${mac(key)}`;
  const other = `v1,${mac(Buffer.from('another'))}`;

  it.each([
    ['one', good],
    ['the first of two', `${good} ${other}`],
    ['the second of two', `${other} ${good}`],
    ['beside one of another version', `v1a,${mac(key)} ${good}`],
  ])('of Standard Webhooks is found: %s', (_which, header) => {
    expect(check(header, standard, secret)).toBe(true);
    expect(check(header, { encoding: 'base64' }, secret)).toBe(true);
  });

  it('of Standard Webhooks is refused where no signature is that of the message', () => {
    const unprefixed = mac(key);
    for (const header of [other, `${other} ${other}`, `v1a,${mac(key)}`, unprefixed, 'v1,', ''])
      expect(check(header, standard, secret)).toBe(false);
  });

  it('is made under the whole text of a secret with whsec_ as well', () => {
    expect(check(`v1,${mac(Buffer.from(secret))}`, standard, secret)).toBe(true);
  });

  it.each([
    ['hex', 'sha256=', `sha256=${mac(key, 'hex')}`, { prefix: 'sha256=' }],
    ['hex in capitals', '', mac(key, 'hex').toUpperCase(), {}],
    ['a time before it', 'v1=', `t=1760000000,v1=${mac(key, 'hex')}`, { prefix: 'v1=' }],
    ['a prefix with a blank', '', `HMAC ${mac(key, 'hex')}`, { prefix: 'HMAC ' }],
    ['SHA-1', '', mac(key, 'base64', 'sha1'), { encoding: 'base64', algorithm: 'sha1' }],
    ['SHA-512', '', mac(key, 'hex', 'sha512'), { algorithm: 'sha512' }],
  ] as const)('is read with %s', (_how, _prefix, header, signature) => {
    expect(check(header, signature, key.toString())).toBe(true);
    expect(check(header, signature, 'another')).toBe(false);
  });

  it('is made under a key that hex or base64 tells', () => {
    const header = mac(key, 'hex');
    expect(check(header, { secret: 'hex' }, key.toString('hex'))).toBe(true);
    expect(check(header, { secret: 'base64' }, key.toString('base64'))).toBe(true);
    expect(check(header, { secret: 'text' }, key.toString('base64'))).toBe(false);
  });

  it('is never made under an empty key', () => {
    const header = mac(Buffer.alloc(0), 'hex');
    for (const secret of ['', 'whsec_', 'not hexadecimal'])
      expect(check(header, { secret: 'hex' }, secret)).toBe(false);
  });

  it('is looked for in time that grows with the header only', () => {
    const begun = performance.now();
    expect(check('v1,'.repeat(1_000_000), standard, secret)).toBe(false);
    expect(check(' v1,'.repeat(1_000_000), standard, secret)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(20_000); // quadratic work would take hours
  });
});
