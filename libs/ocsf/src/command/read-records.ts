import { findPointerLines, lineOf } from './pointer-lines.js';

export interface SourceRecord {
  value: unknown;
  /** The line on which the value at a pointer within the record begins. */
  line: (pointer: string) => number;
}

/** A text that is neither JSON nor a JSON value per line. */
export class RecordsError extends Error {}

/** Reads records from a JSON object, a JSON array, or one JSON value per line (NDJSON). @throws RecordsError */
export function readRecords(text: string): SourceRecord[] {
  if (text.trim() === '') throw new RecordsError('there is no record');
  const whole = parse(text);
  if (whole.error === undefined) return readWhole(text, whole.value);
  return readLines(text, whole.error);
}

function readWhole(text: string, value: unknown): SourceRecord[] {
  let lines: Map<string, number> | undefined;
  // Most records have no problem, so lines are looked for when one is asked for.
  const locate = (pointer: string) => lineOf((lines ??= findPointerLines(text)), pointer);
  if (!Array.isArray(value)) return [{ value, line: locate }];
  return value.map((item: unknown, index) => ({
    value: item,
    line: (pointer) => locate(`/${index}${pointer}`),
  }));
}

function readLines(text: string, firstError: string): SourceRecord[] {
  const records: SourceRecord[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { value, error } = parse(line);
    if (error !== undefined) {
      const isFirst = records.length === 0;
      throw new RecordsError(
        isFirst ? firstError : `line ${index + 1} is not valid JSON: ${error}`,
      );
    }
    records.push({ value, line: () => index + 1 });
  }
  return records;
}

function parse(text: string): { value?: unknown; error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
