import { describe, expect, it } from '@jest/globals';
import { documentNotes } from './document.js';

describe('the notes on a document', () => {
  it('are the first twenty warnings, by their places, with place and remedy', () => {
    const warnings = Array.from({ length: 30 }, (_one, index) => ({
      message: 'nil is read as a field',
      line: 30 - index,
      column: 3,
      hint: 'Nothing is null.',
    }));
    const notes = documentNotes(warnings);
    expect(notes).toHaveLength(20);
    expect(notes[0]).toEqual({
      instance: 'doubtful-expression',
      message: 'line 1, column 3: nil is read as a field',
      detail: 'The document compiles. This part of it may mean something else than it says.',
      remediation: 'Nothing is null.',
      pointer: '/data',
      position: { line: 1, column: 3 },
    });
    expect(notes[19]?.message).toMatch(/^line 20,/);
  });
});
