import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { compileDocument, MappingError, type TemplateFault } from '../index.js';

interface Habit {
  name: string;
  template?: string;
  document?: string;
  fault: string;
  remedy: string;
}

const file = new URL('../../../../../libs/mapping/cases/habits.yaml', import.meta.url);
const habits = parse(readFileSync(file, 'utf8')) as Habit[];

function documentOf({ template, document }: Habit): string {
  const head = 'engine: bloblang_direct\nversion: "1.0"\n';
  if (document !== undefined) return document.startsWith('engine') ? document : head + document;
  const lines = (template ?? '').split('\n').map((line) => `    ${line}\n`);
  return `${head}templates:\n  default: |\n${lines.join('')}`;
}

function faultsOf(habit: Habit): readonly TemplateFault[] {
  try {
    compileDocument(documentOf(habit));
  } catch (error) {
    if (error instanceof MappingError) return error.faults;
    throw error;
  }
  return [];
}

describe('a document that is wrong by habit or by a slip', () => {
  it('is one of more than ninety', () => {
    expect(habits.length).toBeGreaterThan(90);
  });

  it.each(habits)('$name', (habit) => {
    const faults = faultsOf(habit);
    const [first] = faults.map((one) => `${one.line}:${one.column} ${one.message}`);
    expect([first, faults[0]?.hint]).toEqual([habit.fault, habit.remedy]);
    expect(faults.filter(({ hint }) => hint === undefined)).toEqual([]);
  });
});
