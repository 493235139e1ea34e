import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type KeyPair, TestAuthority } from '../harness/certificates.js';
import { whyNoExchanges } from './exchanges.js';
import { sumUp, writtenFigures } from './figures.js';
import { type RanList, runList } from './run-list.js';
import { type ForeignList, readTables } from './table.js';
import { varyList } from './vary-list.js';

/** Share that is varied here, for the time it takes: of each third list two values of each answer. `npm run figures -- --foreign` varies all. */
const share = { lists: 3, maxPlaces: 2 };

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

  const varied = table.lists.filter((_list, index) => index % share.lists === 0);
  it.each(varied.map((list) => ({ name: list.title ?? list.operation, list })))(
    'loses no record and no page of $name to a single value that is missing or has another form',
    async ({ list }) => {
      const { variants, faults } = await varyList(table, list, certificate, share);
      expect(faults).toEqual([]);
      expect(variants).toBeGreaterThan(0);
    },
  );

  // With `-t`, only some of the lists have run.
  it('is shown by the page of providers as it is', () => {
    if (ran.length < table.lists.length) return;
    expect(writtenFigures(table.folder, table.provider)).toEqual(sumUp(ran));
  });
});
