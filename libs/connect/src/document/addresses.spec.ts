import { expect, it } from '@jest/globals';
import { compileProvider } from '#provider-document';
import { Addresses } from './addresses.js';

it('adds the parameters of query to the address of url as to that of a path', () => {
  const provider = compileProvider(`
provider: custom_urls
version: 1.0.0
fullname: URLs
vendor: Tests
http: { base_url: '"https://first.example/base"', origins: [https://second.example] }
operations:
  edr_get_endpoint:
    steps:
      - { name: one, path: /a, query: 'root.top = 1' }
      - { name: two, url: '"https://second.example/b?x=1"', query: 'root = {"top": 1, "none": null}' }
      - { name: three, url: '"https://second.example/c?x=%2F"' }
    record: this.steps.one
`);
  const addresses = new Addresses(provider, {
    config: {},
    limits: undefined,
    shown: (text) => text,
    openedCredential: () => undefined,
  });
  const steps = provider.operations.get('edr_get_endpoint')?.steps ?? [];
  expect(steps.map((step) => addresses.compute(step, {}).href)).toEqual([
    'https://first.example/base/a?top=1',
    'https://second.example/b?x=1&top=1',
    'https://second.example/c?x=%2F',
  ]);
});
