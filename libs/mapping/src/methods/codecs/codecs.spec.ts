import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compileTemplate, LimitError } from '../../index.js';

const run = (template: string, input: unknown) => compileTemplate(template).run(input).root;

describe('compression', () => {
  it('stops a bomb before it is unpacked, which templates cannot catch', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64');
    const before = process.memoryUsage().arrayBuffers;
    expect(() =>
      run('root = this.decode("base64").decompress("gzip").catch("fine")', bomb),
    ).toThrow(LimitError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024);
  });

  it.each(['gzip', 'zlib', 'flate'])('by %s pays for what Node keeps of a failure', (algorithm) => {
    const source = `root = range(0, 50).map_each(i -> "no".decompress("${algorithm}").catch(0)).length()`;
    const template = compileTemplate(source);
    expect(template.run(null).root).toBe(50);
    expect(() => template.run(null, { limits: { bytes: 500_000 } })).toThrow(
      'makes more than 500000 bytes',
    );
  });

  it.each(['gzip', 'lz4', 'snappy'])('by %s keeps no large buffer for a short result', (name) => {
    const packed = run(`root = this.compress("${name}")`, 'hello') as Buffer;
    const plain = run(`root = this.decompress("${name}")`, packed) as Buffer;
    for (const one of [packed, plain])
      expect(one.buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize);
  });

  it('names the algorithms that are there', () => {
    expect(() => run('root = this.compress("zstd")', 'a')).toThrow(
      'unknown compression zstd: use one of flate, gzip, lz4, pgzip, snappy, zlib',
    );
    expect(() => run('root = "no".decompress("gzip")', null)).toThrow('failed to decompress');
  });
});

describe('base64', () => {
  it('passes files of 25 MB in both directions', () => {
    const bytes = Buffer.alloc(26_214_400, 'a file');
    const text = bytes.toString('base64');
    expect(bytes.equals(run('root = this.decode("base64")', text) as Buffer)).toBe(true);
    expect(run('root = this.encode("base64")', bytes) === text).toBe(true);
  });

  it.each(['base64', 'base64url', 'hex'])('of %s refuses an incomplete group', (scheme) => {
    expect(() => run(`root = this.decode("${scheme}")`, 'abc')).toThrow('illegal');
  });
});

describe('AES', () => {
  it('finds changed text with gcm', () => {
    const args = '"gcm", "0123456789abcdef", "0123456789ab"';
    expect(run(`root = this.encrypt_aes(${args}).decrypt_aes(${args}).string()`, 'hi')).toBe('hi');
    expect(() => run(`root = (this + "x").decrypt_aes(${args})`, 'a'.repeat(20))).toThrow(
      'the ciphertext was changed or the key is another',
    );
  });

  it('says what is wrong with key, vector and scheme', () => {
    expect(() => run('root = this.encrypt_aes("ctr", "k", "v")', 'a')).toThrow(
      'an AES key has 16, 24 or 32 bytes, this one 1',
    );
    expect(() => run('root = this.encrypt_aes("ctr", "0123456789abcdef", "v")', 'a')).toThrow(
      'the initialization vector of ctr has 16 bytes, this one 1',
    );
    expect(() => run('root = this.encrypt_aes("ecb", "k", "v")', 'a')).toThrow(
      'unknown AES scheme ecb',
    );
  });
});

describe('tokens', () => {
  it.each([
    ['rs256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['es256', generateKeyPairSync('ec', { namedCurve: 'prime256v1' })],
    ['es512', generateKeyPairSync('ec', { namedCurve: 'secp521r1' })],
  ])('are signed and verified with %s', (name, { privateKey, publicKey }) => {
    const input = {
      claims: { sub: 'a' },
      private: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      public: publicKey.export({ type: 'spki', format: 'pem' }),
    };
    expect(
      run(
        `root = this.claims.sign_jwt_${name}(this.private).parse_jwt_${name}(this.public)`,
        input,
      ),
    ).toEqual({ sub: 'a' });
  });

  it('refuse keys of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    for (const [name, other] of [
      ['rs256', 'RS256'],
      ['es512', 'ES512'],
    ])
      expect(() => run(`root = {}.sign_jwt_${name}(this)`, key)).toThrow(
        `the signing secret is not a key for ${other}`,
      );
  });

  it('do not choose how they are verified', () => {
    expect(() => run('root = this.sign_jwt_hs256("k").parse_jwt_hs512("k")', { sub: 'a' })).toThrow(
      'the token is not signed with HS512',
    );
    expect(() =>
      run('root = this.sign_jwt_hs256("k").parse_jwt_hs256("other")', { sub: 'a' }),
    ).toThrow('the signature of the token is invalid');
    expect(() =>
      run('root = this.sign_jwt_hs256("k", {"alg": "none"}).parse_jwt_hs256("k")', {}),
    ).not.toThrow();
  });

  it('end at their time', () => {
    expect(() => run('root = this.sign_jwt_hs256("k").parse_jwt_hs256("k")', { exp: 1 })).toThrow(
      'the token is expired',
    );
    expect(() =>
      run('root = this.sign_jwt_hs256("k").parse_jwt_hs256("k")', { nbf: 99_999_999_999 }),
    ).toThrow('the token is not valid yet');
  });

  it('do not tell the key that is wrong', () => {
    expect(() => run('root = this.sign_jwt_rs256("hush")', {})).toThrow(
      /: the signing secret is not an RSA key in PEM$/,
    );
  });
});

describe('YAML', () => {
  it('is refused when aliases multiply', () => {
    const bomb = Array.from({ length: 12 }, (_one, index) =>
      index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
    ).join('\n');
    expect(() => run('root = this.parse_yaml()', bomb)).toThrow('failed to parse value as YAML');
  });

  it('keeps __proto__ a field', () => {
    const root = run('root = this.parse_yaml()', '__proto__: {polluted: true}') as object;
    expect(Object.keys(root)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in root).toBe(false);
  });

  it('leaves out tags that are not those of YAML', () => {
    expect(run('root = this.parse_yaml()', 'a: !Ref x\nb: !Sub [y]')).toEqual({ a: 'x', b: ['y'] });
  });

  it('keeps integers of 64 bits', () => {
    expect(run('root = this.parse_yaml().a.string()', 'a: 9223372036854775807')).toBe(
      '9223372036854775807',
    );
  });
});

describe('z85, schemas and segments', () => {
  it('go to and fro', () => {
    expect(run('root = this.decode("hex").encode("z85")', '864fd26fb559f75b')).toBe('HelloWorld');
    expect(run('root = this.decode("z85").encode("hex")', 'HelloWorld')).toBe('864fd26fb559f75b');
    expect(() => run('root = this.encode("z85")', 'abc')).toThrow('multiple of 4 bytes');
    expect(() => run('root = this.decode("z85")', 'ab"de')).toThrow('illegal z85 data');
  });

  it('need one type of elements', () => {
    expect(() => run('root = this.infer_schema()', [1, 'a'])).toThrow(
      '.1 mismatched array types, found INT64 and STRING',
    );
  });

  it('keep what belongs together', () => {
    expect(run('root = this.unicode_segments("grapheme")', 'e\u0301👨‍👩‍👧')).toEqual(['e\u0301', '👨‍👩‍👧']);
    expect(() => run('root = this.unicode_segments("line")', 'a')).toThrow('unknown segmentation');
  });
});
