import { checkPrimeSync, createHmac, createPrivateKey } from 'node:crypto';

/** Makes keys of 2,048 bits, the least that RS256 is used with. */
const primeBytes = 128;
const exponent = 65_537n;
const keys = new Map<string, string>();
const maxKeys = 1_000;

/** Returns a private RSA key in PEM that follows from a seed, so that all processes of a fake have the same one. It protects nothing. */
export function derivedPrivateKey(seed: string): string {
  const known = keys.get(seed);
  if (known !== undefined) return known;
  const [p, q] = [primeOf(`${seed} p`), primeOf(`${seed} q`)];
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const parts = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n) };
  const key = Object.fromEntries(
    Object.entries({ ...parts, qi: inverse(q, p) }).map(([name, value]) => [name, encode(value)]),
  );
  const made = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...key } });
  const text = made.export({ format: 'pem', type: 'pkcs8' }).toString();
  if (keys.size >= maxKeys) keys.clear();
  keys.set(seed, text);
  return text;
}

function primeOf(seed: string): bigint {
  const hex = [0, 1].map((part) => createHmac('sha512', `${seed} ${part}`).digest('hex')).join('');
  const highest = 3n << BigInt(primeBytes * 8 - 2);
  let found = BigInt(`0x${hex}`) | highest | 1n;
  while ((found - 1n) % exponent === 0n || !checkPrimeSync(found)) found += 2n;
  return found;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [low, high] = [value % modulus, modulus];
  let [ofLow, ofHigh] = [1n, 0n];
  while (low > 1n) {
    const times = high / low;
    [low, high] = [high - times * low, low];
    [ofLow, ofHigh] = [ofHigh - times * ofLow, ofLow];
  }
  return ((ofLow % modulus) + modulus) % modulus;
}

function encode(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
