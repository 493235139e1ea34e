import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type KeyPair, TestAuthority } from '../harness/certificates.js';
import { whyNoExchanges } from './exchanges.js';
import { sumUp, writtenFigures } from './figures.js';
import { type RanList, runList } from './run-list.js';
import { type ForeignList, readTables } from './table.js';

const described = whyNoExchanges === undefined ? describe : describe.skip;
const why = whyNoExchanges === undefined ? '' : ` (skipped: ${whyNoExchanges})`;

let authority: TestAuthority;
let certificate: KeyPair;
beforeAll(async () => {
  await loadValidators();
  authority = new TestAuthority();
  certificate = authority.issue('vendor.example');
});
afterAll(() => authority.remove());

described.each(readTables())(`what others saw of $provider${why}`, (table) => {
  const ran: { list: ForeignList; result: RanList }[] = [];
  it.each(table.lists.map((list) => ({ name: list.title ?? list.operation, list })))(
    'is read by $name: every record once, valid, and 95 % of its values',
    async ({ list }) => {
      const result = await runList(table, list, certificate);
      ran.push({ list, result });
      expect(result.faults).toEqual([]);
      expect(result.records).toBeGreaterThan(0);
    },
  );

  // With `-t`, only some of the lists have run.
  it('is shown by the page of providers as it is', () => {
    if (ran.length < table.lists.length) return;
    expect(writtenFigures(table.folder, table.provider)).toEqual(sumUp(ran));
  });
});
