import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { describeProvider, readProviders } from '#provider-document';

const folders = new URL('../', import.meta.url);

interface Property {
  format?: string;
  enum?: readonly unknown[];
  type?: string | readonly string[];
}

interface Schema {
  properties?: Record<string, Property>;
  required?: readonly string[];
}

/** Returns a configuration with the required properties alone. */
function leastConfiguration(properties: Record<string, Property>, required: readonly string[]) {
  const valueOf = (name: string) => {
    const { format, enum: values, type } = properties[name] ?? {};
    if (values !== undefined) return values[0];
    if (format === 'uri' || name.endsWith('url')) return 'https://vendor.example';
    if (name === 'region') return 'eu-west-1';
    return [type].flat().includes('array') ? ['a'] : 'a';
  };
  return Object.fromEntries(required.map((name) => [name, valueOf(name)]));
}

const documents = readdirSync(folders).filter((name) =>
  existsSync(new URL(`${name}/provider.yaml`, folders)),
);
it.each(documents)(
  'the addresses of %s are addresses, without what a configuration may leave out',
  async (name) => {
    const compiled = await readProviders(new URL(`${name}/`, folders));
    for (const one of compiled) {
      const { properties = {}, required = [] } = (one.source.configuration ?? {}) as Schema;
      const config = leastConfiguration(properties, required);
      const { urls = [] } = describeProvider(one).addresses?.(config) ?? {};
      expect(urls.filter((url) => !URL.canParse(url))).toEqual([]);
    }
  },
);
