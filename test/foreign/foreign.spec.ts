import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type KeyPair, TestAuthority } from '../harness/certificates.js';
import { whyNoExchanges } from './exchanges.js';
import { runList } from './run-list.js';
import { readTables } from './table.js';

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
  it.each(table.lists.map((list) => ({ name: list.title ?? list.operation, list })))(
    'is read by $name: every record once, valid, and 95 % of its values',
    async ({ list }) => {
      const { faults, records } = await runList(table, list, certificate);
      expect(faults).toEqual([]);
      expect(records).toBeGreaterThan(0);
    },
  );
});
