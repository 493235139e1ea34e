import { rowReader } from '../engine/row-reader.js';
import { type Language, type LanguageOptions, QueryFault, type Row } from './language.js';

export const now = Date.UTC(2026, 10, 22, 12);
const words = ['Alpha', 'beta', 'Gamma ray', "O'Neil", 'WS-01', '100%', ''];

export interface TestRow {
  id: number;
  name: string | null;
  size: number | null;
  on: boolean;
  at: string;
  tags: string[];
  owner: { name: string; city: string | null };
  mails: { kind: string; address: string }[];
}

/** 140 records with texts, numbers, times, lists and nothing in all combinations that filters meet. */
export const rows: readonly TestRow[] = Array.from({ length: 140 }, (_, id) => ({
  id,
  name: id % 11 === 10 ? null : (words[id % words.length] ?? ''),
  size: id % 9 === 8 ? null : (id * 7) % 23,
  on: id % 2 === 0,
  at: new Date(now - id * 5_400_000).toISOString(),
  tags: words.filter((_word, at) => (id >> at) % 2 === 1 && at < 5),
  owner: { name: `Owner ${id % 4}`, city: id % 3 === 0 ? 'Bern' : id % 3 === 1 ? 'Oslo' : null },
  mails:
    id % 5 === 0
      ? []
      : [
          { kind: 'work', address: `u${id}@acme.test` },
          { kind: 'home', address: `u${id}@home.test` },
        ],
}));

/** Ids of the records that a query leaves. */
export function idsOf(
  language: Language,
  query: unknown,
  options: Partial<LanguageOptions> = {},
): number[] {
  const predicate = language(query, {
    now: () => now,
    read: rowReader(undefined, undefined),
    ...options,
  });
  return rows.filter((row) => predicate(row as unknown as Row)).map(({ id }) => id);
}

/** Ids of the records that a condition of this language leaves. */
export function idsWhere(condition: (row: TestRow) => boolean): number[] {
  return rows.filter(condition).map(({ id }) => id);
}

/** `message at position` of the fault of a query. */
export function faultOf(
  language: Language,
  query: unknown,
  options: Partial<LanguageOptions> = {},
): string {
  try {
    idsOf(language, query, options);
  } catch (error) {
    if (error instanceof QueryFault) return `${error.message} at ${error.position}`;
    throw error;
  }
  return 'no fault';
}
