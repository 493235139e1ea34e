import { existsSync, readdirSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import { loadValidators, type Operation, operations, validateBody } from '#contract';
import { describeProvider, readProviders } from '#provider-document';

const folders = new URL('../', import.meta.url);

interface Schema {
  type?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
}

/** Returns each slot of a described configuration, by its path, with the names of its kinds. */
function slotsOf(
  { properties = {} }: Schema,
  path: readonly string[] = [],
): [string[], string[]][] {
  return Object.entries(properties).flatMap(([name, schema]): [string[], string[]][] => {
    const here = [...path, name];
    const names = schema.properties?.['type']?.enum as string[] | undefined;
    if (names?.some((one) => one.endsWith('_id'))) return [[here, names]];
    return slotsOf(schema, here);
  });
}

const filled = 'access_key_id secret_access_key role_arn external_id username secret client_id';
const texts = `${filled} client_secret certificate private_key value`.split(' ');
const values = Object.fromEntries(texts.map((name) => [name, 'a']));

const documents = readdirSync(folders).filter((name) =>
  existsSync(new URL(`${name}/provider.yaml`, folders)),
);

beforeAll(() => loadValidators());

it.each(documents)('the contract accepts the kinds of credentials of %s', async (name) => {
  const create = operations.get('integrations_create') as Operation;
  const wrong: unknown[] = [];
  for (const one of await readProviders(new URL(`${name}/`, folders))) {
    const { type, configuration } = describeProvider(one);
    for (const [path, names] of slotsOf(configuration as Schema)) {
      if (names.length === 0) wrong.push([type, path, 'no kind']);
      for (const kind of names) {
        const slot = path.reduceRight<object>((inner, key) => ({ [key]: inner }), {
          ...values,
          type: kind,
        });
        const pointer = `/provider_config/${path.join('/')}`;
        const faults = validateBody(create, { provider_config: { type, ...slot } });
        wrong.push(...faults.filter((fault) => fault.pointer?.startsWith(pointer)));
      }
    }
  }
  expect(wrong).toEqual([]);
});

it('a slot has the kinds of all shapes of the configuration around it', async () => {
  const [http] = await readProviders(new URL('http/', folders));
  if (http === undefined) throw new Error('there is no document');
  const { configuration } = describeProvider(http);
  const names = slotsOf(configuration as Schema).find(([path]) => path.length > 1)?.[1];
  const kinds = ['basic', 'token', 'o_auth_client'];
  expect(names).toEqual(kinds.flatMap((kind) => [kind, `${kind}_id`]));
});
