import { type Operation, operations } from '#contract';
import type { Attack } from './attack.js';
import { randomFraming } from './framing.js';
import { type Header, hostileHeaders } from './headers.js';
import { hostileText, writeJson } from './hostile-values.js';
import { hostileBodies, mutateJson, mutateText } from './mutate-text.js';
import { mutateValue } from './mutate-value.js';
import { percentEncode, toBytes } from './percent.js';
import { mutateQuery } from './queries.js';
import { type Random, randomOf } from './random.js';
import { signOnAttack } from './sign-on.js';
import { type Unwritten, validAttack, validValue } from './valid.js';

const all = [...operations.values()];
const served = all.filter(({ state }) => state === 'served');
const patches = served.filter(({ method }) => method === 'PATCH');
const bodied = served.filter(({ request }) => request === 'json');

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PURGE',
  'QUERY',
];

/** One of this number of requests goes to single sign-on, which is not in the contract. */
const signOnInterval = 40;

/** Returns the operation that a request of a number in the run of a seed is made for; undefined for one to single sign-on. */
export function operationAt(seed: number, index: number): Operation | undefined {
  return isSignOn(index) ? undefined : pickOperation(randomOf(seed, index), seed, index);
}

function isSignOn(index: number): boolean {
  return index % signOnInterval === signOnInterval - 1;
}

/** Takes every operation in turn by the even numbers, so that a run reaches all, and those with bodies more often by the odd ones. */
function pickOperation(random: Random, seed: number, index: number): Operation {
  const inTurn = served[(seed + index / 2) % served.length];
  if (inTurn !== undefined) return inTurn;
  return random.weighted<Operation>([
    [5, random.pick(bodied)],
    [3, random.pick(patches)],
  ]);
}

/** Returns the request of a number in the run of a seed: always the same. */
export function attackOf(seed: number, index: number): Attack {
  const random = randomOf(seed, index);
  if (isSignOn(index)) return signOnAttack(random);
  const operation = pickOperation(random, seed, index);
  let attack = validAttack(random, operation);
  const changes = random.weighted([
    [7, 1],
    [2, 2],
    [1, 3],
  ]);
  for (let change = 0; change < changes; change += 1) attack = mutate(random, operation, attack);
  const { body, ...others } = attack;
  return body === undefined ? others : { ...others, body: body() };
}

function mutate(random: Random, operation: Operation, attack: Unwritten): Unwritten {
  const hasBody = attack.body !== undefined;
  const withBody = (body: string): Unwritten => ({ ...attack, body: () => body });
  return random.weighted<() => Unwritten>([
    [2, () => ({ ...attack, path: mutatePath(random, attack.path) })],
    [3, () => ({ ...attack, query: mutateQuery(random, operation, attack.query) })],
    [2, () => ({ ...attack, headers: withHeaders(attack.headers, hostileHeaders(random)) })],
    [hasBody ? 10 : 0, () => ({ ...attack, body: mutateBody(random, operation) })],
    [hasBody ? 3 : 0, () => withBody(mutateJson(random, attack.body?.() ?? ''))],
    [hasBody ? 1 : 0, () => withBody(random.pick(hostileBodies))],
    [hasBody ? 0 : 0.5, () => withBody(random.pick(hostileBodies))],
    [1, () => ({ ...attack, framing: randomFraming(random) })],
    [0.5, () => ({ ...attack, method: random.pick(methods) })],
  ])();
}

function mutateBody(random: Random, operation: Operation): () => string {
  const value = validValue(random, operation);
  // A patch is generated with its hostile parts.
  const changed = operation.method === 'PATCH' ? value : mutateValue(random, value);
  const sent = random.chance(0.2) ? mutateValue(random, changed) : changed;
  return () => toBytes(writeJson(sent));
}

function withHeaders(headers: readonly Header[], more: readonly Header[]): Header[] {
  const names = new Set(more.map(([name]) => name));
  return [...headers.filter(([name]) => !names.has(name)), ...more];
}

const rawSegments = [
  '%',
  '%zz',
  '%00',
  '%2e%2e',
  '%2f',
  '..',
  '.',
  '%c0%af',
  '%ed%a0%80',
  '%ff',
  '\xff',
];

function mutatePath(random: Random, path: string): string {
  const segments = path.split('/');
  const parameters = [...segments.keys()].filter((index) => segments[index]?.startsWith('{{'));
  const at =
    parameters.length > 0 && random.chance(0.9)
      ? random.pick(parameters)
      : random.below(segments.length);
  const old = segments[at] ?? '';
  const cut = old.replace('}}', `${random.pick(['<', '~'])}${random.below(30)}}}`);
  const replaced = (by: string) =>
    segments.map((one, index) => (index === at ? by : one)).join('/');
  return random.weighted<() => string>([
    [6, () => replaced(percentEncode(hostileText(random)))],
    [2, () => replaced(cut)],
    [
      2,
      () =>
        replaced(
          random.pick(['{{accountId}}', '{{organizationId}}', '{{ticketId}}', '{{memberId}}']),
        ),
    ],
    [2, () => replaced(random.pick(rawSegments))],
    [1, () => replaced(old + random.pick([...rawSegments, '%20', '/', '//', ';a=b', '%0a']))],
    [1, () => replaced('x'.repeat(random.pick([300, 5_000, 14_000, 20_000])))],
    [
      1,
      () => `${path}${random.pick(['/', '//', '/x', '/..', '/%2e%2e/', '#x', '?', '\x7f', ' '])}`,
    ],
    [
      1,
      () =>
        path.replace('/v1', random.pick(['/v1/', '/V1', '/v2', '//v1', '/v1/..', '/%76%31', ''])),
    ],
    [1, () => mutateText(random, path).replace(/[^\x21-\xff]/g, '')],
  ])();
}
