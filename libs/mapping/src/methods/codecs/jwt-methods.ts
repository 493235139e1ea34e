import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { formatJson, parseJson } from '../../language/json.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Example, Method } from '../../language/specification.js';
import { asObject, asString, getKey, isNumber, type Value } from '../../language/values.js';
import { bytesOf } from '../text.js';
import { deep } from '../costs.js';

const curves: Record<string, string> = { 256: 'prime256v1', 384: 'secp384r1', 512: 'secp521r1' };
const maxKeyLength = 16_384;
/** A signature with RSA takes about as long as so many steps. */
const signatureCost = 20_000;

interface Algorithm {
  /** `HS`, `RS` or `ES`. */
  family: string;
  bits: string;
}

/** Reads a key in PEM; what is wrong with it is told without it. */
function keyOf(
  { family, bits }: Algorithm,
  secret: Buffer,
  read: typeof createPublicKey,
): KeyObject {
  if (secret.length > maxKeyLength) throw new RunError(`a key has at most ${maxKeyLength} bytes`);
  let key: KeyObject;
  try {
    key = read(secret);
  } catch {
    throw new RunError(`the signing secret is not an ${family === 'RS' ? 'RSA' : 'EC'} key in PEM`);
  }
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const fits =
    family === 'RS'
      ? key.asymmetricKeyType === 'rsa' && modulusLength <= 8192
      : key.asymmetricKeyType === 'ec' && namedCurve === curves[bits];
  if (!fits) throw new RunError(`the signing secret is not a key for ${family}${bits}`);
  return key;
}

function signature(algorithm: Algorithm, content: string, secret: Buffer): Buffer {
  const hash = `sha${algorithm.bits}`;
  if (algorithm.family === 'HS') return createHmac(hash, secret).update(content).digest();
  const key = keyOf(algorithm, secret, createPrivateKey as typeof createPublicKey);
  return sign(hash, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
}

function holds(algorithm: Algorithm, content: string, secret: Buffer, given: Buffer): boolean {
  if (algorithm.family === 'HS') {
    const wanted = signature(algorithm, content, secret);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
  const key = keyOf(algorithm, secret, createPublicKey);
  return verify(
    `sha${algorithm.bits}`,
    Buffer.from(content),
    { key, dsaEncoding: 'ieee-p1363' },
    given,
  );
}

const encoded = (value: Value) => Buffer.from(formatJson(value)).toString('base64url');

function part(text: string): Value {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString());
  } catch {
    throw new RunError('the token is malformed: a part of it is not JSON');
  }
}

function parse(algorithm: Algorithm, token: string, secret: Buffer, run: Run): Value {
  run.spend((token.length >> 2) + signatureCost);
  const [head = '', body = '', tail = '', ...more] = token.split('.', 4);
  if (!tail || more.length > 0)
    throw new RunError('the token is malformed: it does not have three parts');
  const wanted = algorithm.family + algorithm.bits;
  // The token does not choose how it is verified.
  if (getKey(part(head), 'alg') !== wanted)
    throw new RunError(`the token is not signed with ${wanted}`);
  if (!holds(algorithm, `${head}.${body}`, secret, Buffer.from(tail, 'base64url')))
    throw new RunError('the signature of the token is invalid');
  const claims = asObject(part(body));
  const now = run.surroundings.now() / 1000;
  const [expires, starts] = [getKey(claims, 'exp'), getKey(claims, 'nbf')];
  if (isNumber(expires) && now >= Number(expires)) throw new RunError('the token is expired');
  if (isNumber(starts) && now < Number(starts)) throw new RunError('the token is not valid yet');
  return claims;
}

function pair(family: string, bits: string): Method[] {
  const algorithm = { family, bits };
  const name = (family + bits).toLowerCase();
  const secret = { name: 'signing_secret', type: 'string' } as const;
  const roundTrip: Example | undefined =
    family === 'HS'
      ? [`root = this.sign_jwt_${name}("k").parse_jwt_${name}("k")`, '{"sub":"a"}', '{"sub":"a"}']
      : undefined;
  const refusal: Example = [
    `root = this.sign_jwt_${name}("no key").catch(this)`,
    '{"sub":"a"}',
    JSON.stringify(`the signing secret is not an ${family === 'RS' ? 'RSA' : 'EC'} key in PEM`),
  ];
  return [
    {
      name: `sign_jwt_${name}`,
      category: 'encoding',
      // A signature with ES takes chance of its own.
      purity: family === 'ES' ? 'random' : 'pure',
      cost: { ...deep, own: 'signature' },
      description: `A token with the claims of the object, signed with ${family}${bits}.`,
      parameters: [secret, { name: 'headers', type: 'object', optional: true }],
      examples: [roundTrip ?? refusal],
      run: (target, [key, headers], run) => {
        run.spend(signatureCost);
        const head = { ...(headers ? asObject(headers) : {}), alg: family + bits, typ: 'JWT' };
        const content = `${encoded(head)}.${encoded(asObject(target))}`;
        run.string(content.length);
        return `${content}.${signature(algorithm, content, bytesOf(key)).toString('base64url')}`;
      },
    },
    {
      name: `parse_jwt_${name}`,
      category: 'encoding',
      purity: 'clock',
      cost: { ...deep, own: 'signature' },
      description: `The claims of a token, when its ${family}${bits} signature and its times hold.`,
      parameters: [secret],
      examples: [
        roundTrip ?? [
          `root = this.parse_jwt_${name}("a public key in PEM").catch(this)`,
          '"a.b"',
          '"the token is malformed: it does not have three parts"',
        ],
      ],
      run: (target, [key], run) => parse(algorithm, asString(target), bytesOf(key), run),
    },
  ];
}

export const jwtMethods: readonly Method[] = ['HS', 'RS', 'ES'].flatMap((family) =>
  Object.keys(curves).flatMap((bits) => pair(family, bits)),
);
