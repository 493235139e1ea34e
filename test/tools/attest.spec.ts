import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Runs statements with the functions of tools/attest.mjs. @returns what they print */
const run = (statements: string) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { provenanceOf, signBytes } from './tools/attest.mjs'; ${statements}`,
    ],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  ).trim();
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const signed = (bytes: string, key: KeyObject) =>
  Buffer.from(
    run(
      `console.log(signBytes(Buffer.from(${JSON.stringify(bytes)}), ${JSON.stringify(pem(key))}))`,
    ),
    'base64',
  );

describe('what a release says of its image', () => {
  it('is signed so that a changed byte is noticed, with a key of Ed25519 or P-256', () => {
    const keys = [
      { ...generateKeyPairSync('ed25519'), algorithm: null },
      { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), algorithm: 'sha256' },
    ];
    for (const { privateKey, publicKey, algorithm } of keys) {
      const signature = signed('{"a":1}\n', privateKey);
      expect(verify(algorithm, Buffer.from('{"a":1}\n'), publicKey, signature)).toBe(true);
      expect(verify(algorithm, Buffer.from('{"a":2}\n'), publicKey, signature)).toBe(false);
    }
  });

  it('is not signed with a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(() => signed('x', privateKey)).toThrow('openssl genpkey -algorithm ed25519');
  });

  it('names the image, the commit, the lock file and the base', () => {
    const facts = {
      image: 'aa',
      builder: 'https://b.example',
      commit: 'cc',
      base: 'node:24',
      lock: 'dd',
    };
    const statement = JSON.parse(
      run(`console.log(JSON.stringify(provenanceOf(${JSON.stringify(facts)})))`),
    ) as unknown;
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'onefold', digest: { sha256: 'aa' } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { base: 'node:24' },
          resolvedDependencies: [
            { name: 'source', digest: { gitCommit: 'cc' } },
            { name: 'package-lock.json', digest: { sha256: 'dd' } },
          ],
        },
        runDetails: { builder: { id: 'https://b.example' } },
      },
    });
  });
});
