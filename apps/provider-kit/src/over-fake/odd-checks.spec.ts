import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Provider } from '#connect';
import { loadValidators } from '#contract';
import type { FakeDocument } from '#fakes';
import { findReadsOf, setupsOf } from '../fake-checks.js';
import { providerFolders } from '../folders.js';
import type { FakeSetup } from './fake-setup.js';
import { oddFaults } from './odd-checks.js';

type Record = Readonly<{ [name: string]: unknown }>;

const list = 'vulnerabilities_query_findings';
const [sound] = providerFolders()
  .filter(({ name }) => name === 'mock-vulnerabilities')
  .flatMap(setupsOf)
  .map((setup): FakeSetup => ({ ...setup, depth: { maxPlaces: 1, maxFields: 1, maxRecords: 40 } }));

async function faultsOf(changes: Partial<FakeSetup>): Promise<string[]> {
  if (sound === undefined) throw new Error('mock-vulnerabilities is missing');
  const { reads } = await findReadsOf(sound);
  return await oddFaults({ ...sound, ...changes }, reads);
}

/** Makes providers whose mapping changes or drops what the vendor sends. */
const mapping =
  (change: (source: Record) => Record | undefined) =>
  (provider: Provider): Provider => {
    const operation = provider.operations[list];
    const response = operation?.response;
    if (operation === undefined || response === undefined) return provider;
    const changed: typeof response = (source, context) => {
      const given = change(source);
      return given && response(given, context);
    };
    const operations = { ...provider.operations, [list]: { ...operation, response: changed } };
    return { ...provider, operations };
  };

beforeAll(() => loadValidators());

describe('the check of the dataset ODD', () => {
  it('finds nothing wrong with a sound provider', async () => {
    expect(await faultsOf({})).toEqual([]);
  });

  it('finds records that are lost because a field is missing', async () => {
    const alterProvider = mapping((source) => (source['cvss'] === undefined ? undefined : source));
    expect(await faultsOf({ alterProvider })).toEqual([
      expect.stringMatching(/^vulnerabilities_query_findings: 1 of \d+ records are lost, such as /),
    ]);
  });

  it('finds a record that the fake adds and that is dropped without a word', async () => {
    const alterProvider = mapping((source) =>
      String(source['id']).includes('900000000') ? undefined : source,
    );
    expect(await faultsOf({ alterProvider })).toEqual([
      expect.stringMatching(/the record \S*900000000 that the fake adds is lost without a word/),
    ]);
  });

  it('names records that are left out, and what the contract misses in them', async () => {
    const alterProvider = mapping((source) =>
      source['description'] === null ? { ...source, last_seen: null } : source,
    );
    expect((await faultsOf({ alterProvider })).join()).toMatch(/was left out: .*field \/time /);
  });

  it('finds a part that is not licensed, and of which nobody is told', async () => {
    const alter = (document: FakeDocument): FakeDocument => {
      const named = new Map(document.errors.named);
      const look = named.get('forbidden');
      const body = { run: () => ({ findings: [], total: 0 }) } as never;
      if (look !== undefined) named.set('forbidden', { ...look, status: 200, body });
      const errors = { ...document.errors, named };
      return { ...document, errors, odd: { ...document.odd, unlicensed: 'findings:read' } };
    };
    expect((await faultsOf({ alter })).join()).toMatch(
      /GET \/findings is not licensed, and status 200 does not say so/,
    );
    const unlicensed = 'findings:read';
    const refusing = (document: FakeDocument) => ({
      ...document,
      odd: { ...document.odd, unlicensed },
    });
    expect(await faultsOf({ alter: refusing })).toEqual([]);
  });

  it('says what a fake cannot do without', async () => {
    const alter = (document: FakeDocument): FakeDocument => {
      const collections = new Map(document.collections);
      const findings = collections.get('findings');
      if (findings === undefined) return document;
      const beside = [{ id: 'one' }, { id: 'one' }];
      collections.set('findings', { ...findings, odd: { ...findings.odd, beside } });
      return { ...document, collections };
    };
    expect((await faultsOf({ alter })).join()).toMatch(
      /the fake fails at collections\.findings\.odd\.beside\.1: another record has its id/,
    );
  });
});
