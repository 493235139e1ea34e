import { readFileSync } from 'node:fs';
import { keepsTheRest, type RanList } from './run-list.js';
import type { ForeignList } from './table.js';

/** The outcome of all lists of a provider over what others recorded, as docs/providers/README.md shows it. */
export interface ForeignFigures {
  lists: number;
  records: number;
  /** Those of the records that were recorded; others wrote down the rest in tests of integrations of theirs. */
  recorded: number;
  /** Percentage of the values of the vendor's records that arrived, in the list that has the fewest. */
  values: number;
}

/** File with the figures of all providers, which `npm run figures` writes. */
export const figuresFile = new URL('../../../docs/providers/figures.json', import.meta.url);

/** Sums up the lists of a provider. */
export function sumUp(ran: readonly { list: ForeignList; result: RanList }[]): ForeignFigures {
  const shares = ran
    .filter(({ list }) => keepsTheRest(list.operation))
    .map(({ result }) => result.coverage);
  return {
    lists: ran.length,
    records: ran.reduce((sum, { result }) => sum + result.records, 0),
    recorded: ran.reduce((sum, { result }) => sum + result.recorded, 0),
    values: Math.floor(Math.min(1, ...shares) * 1000) / 10,
  };
}

/** Reads the figures of a provider that were written. */
export function writtenFigures(folder: string, provider: string): ForeignFigures | undefined {
  const figures = JSON.parse(readFileSync(figuresFile, 'utf8')) as Record<
    string,
    { providers: Record<string, { foreign?: ForeignFigures }> }
  >;
  return figures[folder]?.providers[provider]?.foreign;
}
