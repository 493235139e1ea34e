import { expect, it } from '@jest/globals';
import { documentFaults } from './document-format.fixture.js';

const doc = (...content: object[]) => ({ type: 'doc', version: 1, content });
const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Disk full' }] };

it('documents are found at any place, and held against the schema of Atlassian', () => {
  expect(documentFaults({ fields: { description: doc(paragraph) } })).toEqual([]);
  const item = { type: 'listItem', content: [paragraph] };
  const issues = [{ fields: { description: doc(item) } }];
  expect(documentFaults({ issues })).toEqual([
    expect.stringMatching(/^\/issues\/0\/fields\/description is not a document/),
  ]);
});
