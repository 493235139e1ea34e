import { expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

const search = `step: made
    steps: [{ name: known, path: /tickets, query: root.external_id = this.marker }]
    found: this.steps.known.tickets.index(0)`;

function faultsOf(settle: string, step = 'path: /tickets'): string[] {
  try {
    compileProvider(`
provider: custom_settling
version: 1.0.0
fullname: Settling
vendor: Tests
http: { base_url: '"https://settling.example"' }
operations:
  custom_post:
    steps: [{ name: made, method: POST, body: root.external_id = this.marker, ${step} }]
    settle:
      source: https://settling.example/api
      ${settle.replaceAll('\n', '\n  ')}
    record: this.steps.made
`);
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.faults.map(({ message }) => message);
  }
}

it.each([
  ['a repetition', 'repeat: true\n    within: 60'],
  ['a search', search],
  ['a search that waits', `after: 60\n    ${search}`],
  ['a search since the first request', search.replace('this.marker }', 'this.since }')],
])('takes %s', (_what, settle) => {
  expect(faultsOf(settle)).toEqual([]);
});

const either = 'settle has either repeat, or step, steps and found';
it.each([
  ['nothing', 'by: a field', either],
  ['both', `repeat: true\n    ${search}`, either],
  ['a search for a time', `within: 60\n    ${search}`, either],
  [
    'another step',
    search.replace('step: made', 'step: meant'),
    'the operation has no step "meant"',
  ],
  [
    'a search that writes',
    search.replace('path: /tickets', 'method: POST, path: /tickets'),
    'a search must not change anything, and POST may',
  ],
  [
    'steps of the operation in a search',
    search.replace('this.steps.known', 'this.steps.made'),
    'this.steps.made does not exist here',
  ],
])('refuses %s', (_what, settle, fault) => {
  expect(faultsOf(settle)).toEqual([fault]);
});

it('refuses a step that makes several records', () => {
  expect(faultsOf(search, "path: /tickets, each: '[1]'")).toEqual([
    'the step "made" creates several records, of which one cannot stand for all',
  ]);
});
