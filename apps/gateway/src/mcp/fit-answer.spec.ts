import { describe, expect, it } from '@jest/globals';
import { operationOf } from '#contract';
import { fitAnswer, maxAnswerLength } from './fit-answer.js';
import { selectFields } from './select-fields.js';

const list = operationOf('ticketing_query_tickets');
const one = operationOf('ticketing_get_ticket');
const row = (id: number, length = 10) => ({ id: String(id), text: 'x'.repeat(length) });

describe('an answer for a model', () => {
  it('is as it came while it is short', () => {
    const answer = { result: [row(1)], cursor: 'next' };
    expect(fitAnswer(answer, list, undefined)).toEqual({
      text: JSON.stringify(answer),
      isError: false,
    });
  });

  it('ends a page that is too long behind a whole record, and says how to read the rest', () => {
    const answer = {
      result: Array.from({ length: 100 }, (_, id) => row(id, 1_000)),
      cursor: 'next',
    };
    const { text, isError } = fitAnswer(answer, list, undefined);
    expect(isError).toBe(false);
    expect(text.length).toBeLessThanOrEqual(maxAnswerLength);
    const cut = JSON.parse(text) as { result: object[]; cursor?: string; note: string };
    expect(cut.result).toEqual(answer.result.slice(0, cut.result.length));
    expect(cut.cursor).toBeUndefined(); // which would skip the records that are cut
    expect(cut.note).toContain(`limit ${cut.result.length} `);
  });

  it('refuses a record that is too long, and names its fields by size', () => {
    const { text, isError } = fitAnswer({ result: row(1, 50_000) }, one, undefined);
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ characters_by_field: { text: 50_002, id: 3 } });
    expect(fitAnswer({ result: row(1, 50_000) }, one, ['id']).isError).toBe(false);
    expect(fitAnswer({ result: [row(1, 50_000)] }, list, undefined).isError).toBe(true);
  });

  it('has the fields that were named, of each record, and the cursor', () => {
    const { text } = fitAnswer({ result: [row(1)], cursor: 'next' }, list, ['id', 'nothing']);
    expect(JSON.parse(text)).toEqual({ result: [{ id: '1' }], cursor: 'next' });
  });
});

describe('fields of a record', () => {
  const record = { id: 1, device: { hostname: 'a', os: { name: 'x' } }, tags: [{ k: 1, v: 2 }] };

  it.each([
    [['id'], { id: 1 }],
    [['device.hostname'], { device: { hostname: 'a' } }],
    [['device.hostname', 'device'], { device: record.device }],
    [['device', 'device.hostname'], { device: record.device }],
    [['tags.k'], { tags: [{ k: 1 }] }],
    [['id.deeper', 'none', '__proto__', 'constructor.name'], { id: 1 }],
    [[], record],
  ])('%j', (fields, expected) => {
    expect(selectFields(record, fields)).toEqual(expected);
  });
});
