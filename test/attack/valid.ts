import type { Operation } from '#contract';
import { type Choices, sampleBody } from '../bodies/sample.js';
import type { Attack, Caller } from './attack.js';
import type { Header } from './headers.js';
import { writeJson } from './hostile-values.js';
import { mutateText } from './mutate-text.js';
import { mapTexts } from './mutate-value.js';
import { randomPatch } from './patches.js';
import { toBytes } from './percent.js';
import { hostileAddresses, providerDocument } from './provider.js';
import { validQuery } from './queries.js';
import type { Random } from './random.js';
import { hostileYaml } from './hostile-yaml.js';

const boundary = 'boundary-of-the-fuzz';

/** An attack whose body is written when it is known that it is sent: most are replaced before, and bodies of OCSF are long. */
export type Unwritten = Omit<Attack, 'body'> & { body?: () => string };

/** Returns a valid or nearly valid request of an operation, into which hostile values are put. */
export function validAttack(random: Random, operation: Operation): Unwritten {
  const body = validBody(random, operation);
  return {
    operation: operation.id,
    caller: callerFor(random, operation),
    method: operation.method,
    path: pathOf(operation),
    query: validQuery(random, operation),
    headers: contentType(operation),
    ...(body === undefined ? {} : { body: () => toBytes(body()) }),
    framing: 'content-length',
  };
}

function callerFor(random: Random, { side, group }: Operation): Caller {
  const own = side === 'management' ? 'administrator' : 'integration';
  return random.weighted<Caller>([
    [18, own],
    [group === 'auth' ? 18 : 1, 'session'],
    [1, own === 'integration' ? 'administrator' : 'integration'],
    [1, 'nobody'],
    [1, 'stranger'],
  ]);
}

function pathOf({ id, path }: Operation): string {
  return path
    .replace('{operation}', id.replace('_batch', ''))
    .replace('/v1/suborgs/{organizationId}', '/v1/suborgs/{subOrganizationId}')
    .replace('/v1/tokens/{ownerId}', '/v1/tokens/{organizationId}')
    .replace(/\{(\w+)\}/g, '{{$1}}');
}

function contentType({ request }: Operation): Header[] {
  if (request === 'none') return [];
  const multipart = `multipart/form-data; boundary=${boundary}`;
  return [['content-type', request === 'json' ? 'application/json' : multipart]];
}

function validBody(random: Random, operation: Operation): (() => string) | undefined {
  if (operation.request === 'none') return undefined;
  if (operation.request === 'multipart')
    return () =>
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`;
  const value = validValue(random, operation);
  return () => writeJson(value);
}

/** Returns the JSON body of such a request. */
export function validValue(random: Random, operation: Operation): unknown {
  if (operation.method === 'PATCH') return randomPatch(random, operation);
  return fresh(random, operation, sampleOf(operation, choicesFor(random, operation)));
}

const samples = new Map<string, unknown>();

/** Returns a sample, which nobody changes: {@link fresh} copies it. The long ones of OCSF, with every field, are made once. */
function sampleOf(operation: Operation, choices: Choices): unknown {
  if (choices.branch !== undefined) return sampleBody(operation, choices);
  const key = `${operation.id} ${choices.all === true}`;
  if (!samples.has(key)) samples.set(key, sampleBody(operation, choices));
  return samples.get(key);
}

/** Providers that are verified must be on this machine. */
function choicesFor(random: Random, { id }: Operation): Choices {
  const choices = [{}, { all: true }, { all: true, branch: random.below(400) }];
  return random.pick(/verify/.test(id) ? choices.slice(0, 2) : choices);
}

/** Samples are alike: names that are taken, and addresses outside of this machine, are replaced. */
function fresh(random: Random, operation: Operation, value: unknown): unknown {
  return mapTexts(value, (old, place) => textAt(random, operation, place, old));
}

function textAt(random: Random, { id, group, path }: Operation, place: string, old: string) {
  const number = random.below(1e9);
  if (old === 'https://example.com') return random.pick(hostileAddresses);
  if (place === 'id') return `{{${/\{(\w+)\}$/.exec(path)?.[1] ?? 'organizationId'}}}`;
  if (id === 'auth_logon') return random.chance(0.8) ? `{{${place}}}` : old;
  if (id === 'auth_change_password' && random.chance(0.5)) return '{{secret}}';
  if (group === 'members' && place === 'name') return `m${number}@example.com`;
  if (place === 'data') return documentText(random, group === 'customs', number, old);
  if (old !== 'sample') return old;
  if (/_id$|^owner/.test(place) && random.chance(0.7)) return '{{accountId}}';
  return `s${number}`;
}

/** Returns the document of a provider or of a mapping. */
function documentText(random: Random, isProvider: boolean, number: number, old: string): string {
  const text = isProvider ? providerDocument.replace('custom_fuzz', `custom_f${number}`) : old;
  return random.weighted<() => string>([
    [4, () => text],
    [3, () => mutateText(random, text)],
    [2, () => `${text}\n${random.pick(hostileYaml)}`],
    [1, () => random.pick(hostileYaml)],
  ])();
}
