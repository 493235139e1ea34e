import { type Operation, operations } from '#contract';
import { sampleBody } from '../bodies/sample.js';
import type { Attack } from './attack.js';
import { shapes } from './growth.js';
import { writeJson } from './hostile-values.js';
import { mapTexts } from './mutate-value.js';
import { percentEncode, toBytes } from './percent.js';
import { randomOf } from './random.js';
import { validAttack } from './valid.js';

/** A text of a request, filled with one of the shapes that make careless code slow. */
export interface LongText {
  operation: Operation;
  /** Where the text is: the keys of the body joined by slashes, or `query` or `path` and a name. */
  place: string;
  shape: string;
}

/** Request lines and headers may have 16 KB together. */
const maxLineBytes = 12_000;
const sampleLength = 1_200;

/** All texts of all operations that are served, in all shapes, in an order that only the seed decides. */
export function longTexts(seed: number): LongText[] {
  const all = [...operations.values()]
    .filter(({ state }) => state === 'served')
    .flatMap((operation) =>
      placesOf(operation).flatMap((place) =>
        Object.keys(shapes).map((shape) => ({ operation, place, shape })),
      ),
    );
  return all
    .map((one, index) => ({ one, key: randomOf(seed, index).next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
}

/** Fields of one name are one place: a record of OCSF has hundreds of them, which the same code reads. */
function placesOf(operation: Operation): string[] {
  const inBody = new Map<string, string>();
  mapTexts(valueOf(operation), (text, place) => {
    const name = place.split('/').at(-1) ?? '';
    if (!inBody.has(name)) inBody.set(name, place);
    return text;
  });
  const query = Object.entries(operation.query).filter(([, { type }]) => type === 'string');
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...inBody.values(),
    ...query.map(([name]) => `query ${name}`),
    ...path.map((name) => `path ${name}`),
  ];
}

/** A body with every field of the operation. */
function valueOf(operation: Operation): unknown {
  if (operation.request !== 'json') return undefined;
  if (operation.method !== 'PATCH') return sampleBody(operation, { all: true });
  return [
    { op: 'add', path: '/fullname', value: 'sample' },
    { op: 'move', from: '/fullname', path: '/name' },
  ];
}

/** Returns the number of characters of the longest text that the limits of the operation let through. */
export function maxLength({ operation, place, shape }: LongText, maxBytes: number): number {
  const sample = (shapes[shape] ?? String)(sampleLength);
  const isInBody = !/^(?:query|path) /.test(place);
  const written = isInBody ? Buffer.from(writeJson(sample)).length : percentEncode(sample).length;
  const limit = isInBody
    ? Math.min(maxBytes, operation.limits?.maxBytes ?? 0) -
      Buffer.from(writeJson(valueOf(operation))).length
    : maxLineBytes;
  return Math.max(0, Math.floor((limit / written) * sample.length * 0.98));
}

/** Returns the request with the text at a length. */
export function longTextAttack({ operation, place, shape }: LongText, length: number): Attack {
  const text = (shapes[shape] ?? String)(length);
  const { body: _body, ...given } = validAttack(randomOf(1, 1), operation);
  const own = operation.side === 'management' ? 'administrator' : 'integration';
  const [kind, name = ''] = place.split(' ');
  const value = valueOf(operation);
  const attack: Attack = {
    ...given,
    caller: own,
    framing: 'content-length',
    ...(value === undefined
      ? {}
      : { body: toBytes(writeJson(mapTexts(value, (old, at) => (at === place ? text : old)))) }),
  };
  if (kind === 'path')
    return { ...attack, path: attack.path.replace(`{{${name}}}`, percentEncode(text)) };
  if (kind === 'query') return { ...attack, query: [`${name}=${percentEncode(text)}`] };
  return attack;
}
