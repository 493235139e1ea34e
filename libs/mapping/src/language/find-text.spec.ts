import { describe, expect, it } from '@jest/globals';
import { findText, splitText } from './find-text.js';

describe('a long part of a text', () => {
  /** Texts of two letters: nearly every place begins a match. */
  const texts = (length: number) =>
    Array.from({ length: 40 }, (_, n) =>
      Array.from({ length }, (_one, at) =>
        (at * at * (n + 1) + at * n) % (n + 3) < 2 ? 'a' : 'b',
      ),
    ).map((letters) => letters.join(''));

  it('is found where native search finds it', () => {
    const wrong: string[] = [];
    for (const text of texts(600))
      for (const part of [
        text.slice(100, 200),
        text.slice(500),
        `${text.slice(0, 90)}c`,
        text.slice(0, 40).repeat(3),
      ]) {
        const doubled = `${text}${part}${part}${text}`;
        for (const from of [0, 101, 590])
          if (findText(doubled, part, from) !== doubled.indexOf(part, from)) wrong.push(part);
        const max = 3;
        const [ours, theirs] = [splitText(doubled, part), doubled.split(part)];
        if (ours.join('|') !== theirs.join('|')) wrong.push(part);
        if (splitText(doubled, part, max).length !== doubled.split(part, max).length)
          wrong.push(part);
      }
    expect(wrong).toEqual([]);
  });

  it('is found at the end, and not behind it', () => {
    const part = 'ab'.repeat(50);
    expect(findText(part, part)).toBe(0);
    expect(findText(part, part, 1)).toBe(-1);
    expect(findText(`${part.slice(0, 70)}${part}`, part)).toBe(0);
    expect(splitText('', part)).toEqual(['']);
  });
});
