import type { Operation } from '#contract';
import { selectFields } from './select-fields.js';

/** Characters of one answer. A model reads no more of it with attention. */
export const maxAnswerLength = 40_000;

/** The text of an answer for a model, and whether it lacks what was asked for. */
export interface Fitted {
  text: string;
  isError: boolean;
}

/**
 * Writes the JSON answer of an operation as a text of at most {@link maxAnswerLength} characters. A list that is longer ends behind the last record
 * that fits, without a cursor, because the page behind it would not have the rest; a record that is longer is not returned. Both say how to ask again.
 */
export function fitAnswer(
  answer: unknown,
  { response: { record }, query }: Operation,
  fields: readonly string[] | undefined,
): Fitted {
  const chosen = fields === undefined ? answer : chooseFields(answer, record, fields);
  const text = JSON.stringify(chosen) ?? 'null';
  if (text.length <= maxAnswerLength) return { text, isError: false };
  const rows = record === null ? chosen : (chosen as Record<string, unknown>)[record];
  if (Array.isArray(rows) && record !== null) {
    const fitting = countFitting(rows);
    if (fitting > 0)
      return {
        text: JSON.stringify({
          [record]: rows.slice(0, fitting),
          note: `The page has ${rows.length} records; these are the first ${fitting}, in ${maxAnswerLength} characters. ${'limit' in query ? `Ask again with limit ${fitting} for this page and its cursor, or name` : 'Ask again and name'} the fields.`,
        }),
        isError: false,
      };
  }
  return { text: tooLong(text.length, Array.isArray(rows) ? rows[0] : rows), isError: true };
}

function chooseFields(answer: unknown, record: string | null, fields: readonly string[]): unknown {
  if (record === null) return selectFields(answer, fields);
  const whole = answer as Record<string, unknown>;
  return { ...whole, [record]: selectFields(whole[record], fields) };
}

/** Room for the field of the records and the note. */
const roomForNote = 500;

function countFitting(rows: readonly unknown[]): number {
  let left = maxAnswerLength - roomForNote;
  let count = 0;
  for (const row of rows) {
    left -= JSON.stringify(row).length + 1;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

const maxNamed = 60;

function tooLong(length: number, record: unknown): string {
  const sizes =
    typeof record === 'object' && record !== null
      ? Object.entries(record)
          .map(([name, value]) => [name, (JSON.stringify(value) ?? '').length] as const)
          .sort(([, a], [, b]) => b - a)
          .slice(0, maxNamed)
      : [];
  return JSON.stringify({
    message: `the answer has ${length} characters, and at most ${maxAnswerLength} are returned`,
    remediation: 'Ask again and name the fields.',
    characters_by_field: Object.fromEntries(sizes),
  });
}
