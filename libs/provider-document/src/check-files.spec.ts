import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { MappingError } from '@onefold/mapping';
import { compileProvider } from './compile-provider.js';

function faultsOf(operations: string): string[] {
  try {
    compileProvider(`
provider: custom_files
version: 1.0.0
fullname: Files
vendor: Tests
http: { base_url: '"https://files.example"' }
operations:
${operations.replace(/^/gm, '  ')}
`);
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.faults.map(({ message }) => message);
  }
}

const down = (step: string, more = '') =>
  `storage_download_file:\n  steps:\n    - ${step}\n${more.replace(/^(?=.)/gm, '  ')}`;
const up = (...steps: string[]) =>
  `storage_upload_file:\n  steps:\n${steps.map((step) => `    - ${step}`).join('\n')}`;

it.each([
  ['a file that is handed on', down('{ path: /a, answer: stream }')],
  ['a file with a name', down('{ path: /a, answer: stream }', 'file: this.headers.name')],
  ['a file that is the body', up('{ path: /a, method: PUT, encoding: stream }')],
  [
    'a file that is a part, after another step',
    up('{ path: /a }', '{ name: b, path: /b, method: POST, encoding: multipart, part: file }'),
  ],
])('takes %s', (_what, operations) => {
  expect(faultsOf(operations)).toEqual([]);
});

it.each([
  [
    'no step with a file',
    down('{ path: /a }'),
    'the operation answers with a file, and none of its steps has one',
  ],
  [
    'a step behind the file',
    'storage_download_file:\n  steps:\n    - { name: a, path: /a, answer: stream }\n    - { name: b, path: /b }',
    'only the last step can hand its answer on as the file',
  ],
  [
    'a file for each',
    down(`{ path: /a, answer: stream, each: '[1]' }`),
    'the step cannot be repeated: its answer is handed on',
  ],
  [
    'a failure that is a file',
    down('{ path: /a, answer: stream, accept: [404] }'),
    'an answer that is an error cannot be handed on as the file',
  ],
  [
    'a record beside the file',
    down('{ path: /a, answer: stream }', 'record: this.steps.call'),
    'an operation that hands a file on has no rows, record or then',
  ],
  [
    'a stream where there is no file',
    'custom_get:\n  steps: [{ path: /a, answer: stream }]',
    'the operation does not answer with a file',
  ],
  [
    'a name where there is no file',
    `custom_get:\n  steps: [{ path: /a }]\n  record: this.steps.call\n  file: '{}'`,
    'the operation answers with no file',
  ],
  [
    'an upload that goes nowhere',
    up('{ path: /a, method: PUT, body: root.a = 1 }'),
    'no step sends the file of the request',
  ],
  [
    'an upload that goes twice',
    up(
      '{ name: a, path: /a, method: PUT, encoding: stream }',
      '{ name: b, path: /b, method: PUT, encoding: stream }',
    ),
    'the file of the request can be sent by one step only',
  ],
  [
    'an upload where there is none',
    'custom_post:\n  steps: [{ path: /a, method: PUT, encoding: stream }]\n  record: this.steps.call',
    'the request of this operation brings no file',
  ],
  [
    'an upload that is waited for',
    up('{ path: /a, method: PUT, encoding: stream, poll: { until: this.body.done } }'),
    'the step cannot be repeated: the file can be sent once',
  ],
  [
    'a part of what has none',
    up('{ path: /a, method: PUT, encoding: json, part: file }'),
    'only a multipart body has parts',
  ],
  [
    'a body beside the file',
    up('{ path: /a, method: PUT, encoding: stream, body: root.a = 1 }'),
    'the body of the step is the file',
  ],
  [
    'a method without a body',
    up('{ path: /a, encoding: stream }'),
    'the step that sends the file must have the method POST, PUT or PATCH',
  ],
])('refuses %s', (_what, operations, fault) => {
  expect(faultsOf(operations)).toContain(fault);
});

it('takes what the reference shows', () => {
  const page = new URL('../../../../docs/providers/documents.md', import.meta.url);
  const [, example = ''] =
    /^## Files$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync(page, 'utf8')) ?? [];
  expect(example).toContain('answer: stream');
  expect(faultsOf(example)).toEqual([]);
});
