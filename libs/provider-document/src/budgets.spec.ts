import { describe, expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

const text = `provider: custom_limited
version: 1.0.0
fullname: Limited
vendor: Acme
configuration: { properties: { plan: { type: string } } }
http:
  base_url: '"https://acme.example"'
  limits:
    budgets:
      - { name: things, paths: [/things, /parts], requests: 'if this.config.plan == "large" { 100 } else { 10 }', period: 60 }
      - { name: writes, methods: [POST], requests: 5, period: 1 }
calls:
  search: { method: POST, path: /things/search }
operations:
  custom_query:
    steps:
      - { name: list, path: /things }
      - { name: found, use: search }
      - { name: other, path: /others }
      - { name: next, url: this.steps.list.next, method: POST }
    rows: this.steps.list
`;

describe('budgets of a provider', () => {
  it('have the requests whose path begins as they say, with their methods', () => {
    const steps = compileProvider(text).operations.get('custom_query')?.steps ?? [];
    expect(steps.map(({ budgets }) => budgets.map(({ source }) => source.name))).toEqual([
      ['things'],
      ['things', 'writes'],
      [],
      ['writes'],
    ]);
  });

  it.each([
    ['name: writes', 'name: things', 'there is another budget "things"'],
    ['this.config.plan', 'this.config.plam', 'this.config.plam does not exist here'],
    ['requests: 5', 'requests: 0', '>= 1'],
    ['paths: [/things, /parts]', 'paths: [things]', 'pattern'],
  ])('are checked: %s as %s', (right, wrong, fault) => {
    let faults: string[] = [];
    try {
      compileProvider(text.replace(right, wrong));
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      faults = error.faults.map(({ message }) => message);
    }
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});
