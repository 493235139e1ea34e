// Writes what a release says of an image: sbom.cdx.json, its packages (CycloneDX), and provenance.json, which commit, lock file and base it was built
// from (an in-toto statement with the predicate of SLSA provenance). Where a key is given, signs each: NAME.sig is the signature in base64.
//   node tools/attest.mjs --image sha256:DIGEST --out FOLDER [--builder URI] [--key KEY.pem]
//   openssl pkey -in KEY.pem -pubout -out release.pub        the key is of Ed25519, or ECDSA with P-256
//   cosign verify-blob --key release.pub --signature sbom.cdx.json.sig sbom.cdx.json
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listShipped } from './image-packages.mjs';
import { firstMatch } from './first-match.mjs';
import { root } from './install.mjs';

/** Returns the statement about an image. */
export function provenanceOf({ image, builder, commit, base, lock }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'onefold', digest: { sha256: image } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://mobyproject.org/buildkit@v1',
        externalParameters: { dockerfile: 'deploy/Dockerfile', base },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

/** Signs bytes. @param key PEM @returns base64 @throws Error for a key of another kind */
export function signBytes(bytes, key) {
  const opened = createPrivateKey(key);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = opened;
  if (type === 'ed25519') return sign(null, bytes, opened).toString('base64');
  if (type === 'ec' && details?.namedCurve === 'prime256v1')
    return sign('sha256', bytes, opened).toString('base64');
  throw new Error(
    `the key is of the kind ${type}: make one of Ed25519, by openssl genpkey -algorithm ed25519`,
  );
}

/** Reads the base image that the Dockerfile names. */
function baseImage() {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  return firstMatch(/^ARG BASE=(\S+)$/m, text);
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      image: { type: 'string' },
      out: { type: 'string' },
      key: { type: 'string' },
      builder: { type: 'string', default: 'urn:onefold:builder:unknown' },
    },
  });
  const [, image] = /^sha256:([0-9a-f]{64})$/.exec(values.image ?? '') ?? [];
  if (image === undefined || values.out === undefined)
    throw new Error('name the image and a folder: --image sha256:DIGEST --out FOLDER');
  if (git('status', '--porcelain') !== '')
    throw new Error('the checkout has changes that no commit has: commit them first');
  const provenance = provenanceOf({
    image,
    builder: values.builder,
    commit: git('rev-parse', 'HEAD'),
    base: baseImage(),
    lock: digestOf(readFileSync(join(root, 'package-lock.json'))),
  });
  const key = values.key === undefined ? undefined : readFileSync(values.key);
  const folder = resolve(values.out);
  mkdirSync(folder, { recursive: true });
  const documents = { 'sbom.cdx.json': await listShipped(), 'provenance.json': provenance };
  for (const [name, document] of Object.entries(documents)) {
    const bytes = Buffer.from(`${JSON.stringify(document)}\n`);
    writeFileSync(join(folder, name), bytes);
    if (key !== undefined) writeFileSync(join(folder, `${name}.sig`), `${signBytes(bytes, key)}\n`);
    console.log(
      `${join(folder, name)}${key === undefined ? ', not signed: no --key' : ', signed'}`,
    );
  }
}
