import { expect, it } from '@jest/globals';
import { ApiError } from './problem.js';
import { storableText } from './storable-text.js';

it('keeps every letter of a text that can be stored, and only those', () => {
  expect(storableText('Zürich ☕ 𝄞\n\t')).toBe('Zürich ☕ 𝄞\n\t');
  expect(storableText('a\0b\ud800c\udc00')).toBe('a\ufffdb\ufffdc\ufffd');
});

it('is what an error says, whoever wrote its words', () => {
  expect(new ApiError(502, 'Desk says: \0\ud83d').message).toBe('Desk says: \ufffd\ufffd');
});
