import type { Attack } from './attack.js';
import { placesIn, removeAt } from './mutate-value.js';
import { writeJson } from './hostile-values.js';
import { toBytes } from './percent.js';

const maxTries = 60;

/** Makes an attack smaller while it still fails: fewer query values and headers, a plain framing, a smaller body. */
export async function shrink(
  attack: Attack,
  stillFails: (smaller: Attack) => Promise<boolean>,
): Promise<Attack> {
  let best = attack;
  let tries = 0;
  for (let shrunk = true; shrunk;) {
    shrunk = false;
    for (const smaller of smallerOnes(best)) {
      if (tries >= maxTries) return best;
      tries += 1;
      if (!(await stillFails(smaller))) continue;
      best = smaller;
      shrunk = true;
      break;
    }
  }
  return best;
}

function* smallerOnes(attack: Attack): Generator<Attack> {
  const { body, ...rest } = attack;
  if (attack.framing !== 'content-length') yield { ...attack, framing: 'content-length' };
  if (attack.query.length > 0) yield { ...attack, query: [] };
  if (body !== undefined) yield rest;
  for (const index of attack.query.keys())
    yield { ...attack, query: attack.query.filter((_one, at) => at !== index) };
  for (const index of attack.headers.keys())
    yield { ...attack, headers: attack.headers.filter((_one, at) => at !== index) };
  if (body !== undefined) for (const less of smallerBodies(body)) yield { ...attack, body: less };
}

function* smallerBodies(body: string): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body, 'latin1').toString('utf8'));
  } catch {
    if (body.length > 1) {
      yield body.slice(0, body.length / 2);
      yield body.slice(body.length / 2);
    }
    return;
  }
  const places = placesIn(value);
  if (places.length > 500) return;
  for (const place of places.slice(1)) yield toBytes(writeJson(removeAt(value, place)));
}
