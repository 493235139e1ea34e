import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { type OperationId, operationOf } from '#contract';
import { faultsOfResponse } from '../e2e/validate-response.js';
import { comparable, fixturesOf, type NamedFixture, verificationsOf } from './fixture.js';
import { failuresOf } from './failures.js';
import type { ProviderFolder } from './folders.js';
import { filterChecks } from './filter-checks.js';
import type { Check } from './named-check.js';
import { planOf } from './plan.js';
import { replaying, walkPages } from './replay.js';
import { secretChecks } from './secret-checks.js';
import { verificationChecks } from './verification-checks.js';

interface Source {
  operations: Record<string, { page?: object; fields?: object }>;
}

/** What is asked of every provider, with its fixtures in the place of the system. */
export function conformance(folder: ProviderFolder): Check[] {
  const fixtures = fixturesOf(folder);
  const { operations } = parse(folder.read('provider.yaml')) as Source;
  const works = fixtures.filter((fixture) => fixture.case === 'works');
  const paged = fixtures.filter(({ pages }) => pages !== undefined);
  const complete = {
    name: 'every operation has a success and its documented failures recorded',
    run: () => Promise.resolve(missing(folder, operations, fixtures)),
  };
  if (works.length === 0) return [complete, ...verificationChecks(folder)]; // of nothing everything is true
  return [
    complete,
    ...verificationChecks(folder),
    ...fixtures
      .filter(({ answer }) => answer !== undefined)
      .map((fixture) => ({
        name: `${fixture.file} gives what was recorded, and that is the contract's`,
        run: () => replayed(folder, fixture),
      })),
    ...paged.map((fixture) => ({
      name: `${fixture.file} reaches every row once`,
      run: () => walked(folder, fixture, false),
    })),
    ...paged
      .filter(({ operation }) => operation.query['cursor'] !== undefined)
      .map((fixture) => ({
        name: `${fixture.file} goes on after a restart`,
        run: () => walked(folder, fixture, true),
      })),
    {
      name: 'a 429 is waited out, by every operation',
      run: async () =>
        (await Promise.all(works.map((fixture) => waitedOut(folder, fixture, fixtures)))).flat(),
    },
    {
      name: 'every failure that the document tells apart is met by a fixture',
      run: () => unmet(folder, fixtures),
    },
    ...secretChecks(folder, [...fixtures, ...verificationsOf(folder)]),
    ...filterChecks(folder, fixtures, operations),
  ];
}

function missing(
  folder: ProviderFolder,
  operations: Source['operations'],
  fixtures: readonly NamedFixture[],
): string[] {
  const excused = folder.has('fixtures/record.yaml')
    ? Object.values(planOf(folder).without ?? {}).flat()
    : [];
  const there = new Set(fixtures.map(({ file }) => file.replace(/\.yaml$/, '')));
  const wanted = Object.entries(operations).flatMap(([id, { page }]) => {
    const inPath = operationOf(id as OperationId).path.includes('{');
    const cases = ['works', '401', '403', '429', ...(inPath ? ['404'] : [])];
    return [...cases, ...(page === undefined ? [] : ['pages'])].map((name) => `${id}.${name}`);
  });
  return [
    ...wanted
      .filter((name) => !there.has(name) && !excused.includes(name))
      .map((name) => `${folder.shown(`fixtures/${name}.yaml`)}: there is none`),
    ...excused
      .filter((name) => there.has(name))
      .map((name) => `${folder.shown('fixtures/record.yaml')}: ${name} is excused, and is there`),
    ...fixtures
      .filter(({ operation }) => operations[operation.id] === undefined)
      .map(({ file }) => `${folder.shown(`fixtures/${file}`)}: the document has no such operation`),
  ];
}

const expectedStatus: Record<string, number> = { 401: 502, 403: 502, 404: 404, 429: 429 };

async function replayed(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  return await replaying(folder, fixture, {}, async (replay) => {
    const { answer } = await replay.run();
    const { operation } = fixture;
    const expected = expectedStatus[fixture.case];
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.answer, comparable(answer)),
      ...faultsOfResponse(operation, answer.status, answer.body),
      ...(expected === undefined || answer.status === expected
        ? []
        : [`the status is ${answer.status}, for a ${fixture.case} it is ${expected}`]),
      ...(fixture.case === 'works' && answer.status !== operation.response.status
        ? [`the status is ${answer.status}: it does not work`]
        : []),
    ];
  });
}

/** `checks` and `errors` of the document that no fixture brings about: nobody has seen what they say. */
async function unmet(folder: ProviderFolder, fixtures: readonly NamedFixture[]): Promise<string[]> {
  const failures = failuresOf(folder);
  failures.met.clear();
  for (const fixture of [...fixtures, ...verificationsOf(folder)])
    if (fixture.answer !== undefined)
      await replaying(folder, fixture, {}, (replay) => replay.run());
  const excused = Object.values(planOf(folder).without ?? {}).flat();
  return failures.all
    .filter((place) => !failures.met.has(place) && !excused.includes(place))
    .map(
      (place) =>
        `${place}: no fixture meets it; record a case that does (documented, where the system cannot be had to say it)`,
    );
}

async function walked(
  folder: ProviderFolder,
  fixture: NamedFixture,
  restarts: boolean,
): Promise<string[]> {
  return await replaying(folder, fixture, {}, async (replay) => {
    const one = replay.engine();
    const { pages, failed } = await walkPages(fixture, () => (restarts ? replay.engine() : one));
    const rows = pages.flat();
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.pages, pages),
      ...(failed === undefined ? [] : [`a page gave ${JSON.stringify(failed)}`]),
      ...(new Set(rows).size === rows.length ? [] : [`a row comes twice: ${rows.join(', ')}`]),
      ...(fixture.exchanges.length > 1 ? [] : ['the provider has one page only: record more rows']),
    ];
  });
}

/** The provider's own refusal comes first, asking for a second. */
async function waitedOut(
  folder: ProviderFolder,
  fixture: NamedFixture,
  fixtures: readonly NamedFixture[],
): Promise<string[]> {
  const { file, operation } = fixture;
  const limited = fixtures.find((one) => one.operation === operation && one.case === '429');
  const refusal = limited?.exchanges.at(-1)?.response;
  if (refusal === undefined) return [`${file}: there is no 429 to wait for`];
  let refused = false;
  const first = () => {
    if (refused) return undefined;
    refused = true;
    const headers = { ...refusal.headers, 'retry-after': '1' };
    return {
      status: refusal.status,
      headers,
      bytes: Buffer.from(JSON.stringify(refusal.json ?? {})),
    };
  };
  return await replaying(folder, fixture, { first }, async (replay) => {
    const begun = performance.now();
    const { answer } = await replay.run();
    const waited = performance.now() - begun;
    // A file that was on its way cannot be sent again: the caller is told.
    if (operation.request === 'multipart' && answer.status === 429) return [];
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.answer, comparable(answer)),
      ...(waited >= 900 ? [] : [`it came again after ${Math.round(waited)} ms, asked to wait 1 s`]),
    ].map((fault) => `${file}: ${fault}`);
  });
}

function differences(expected: unknown, found: unknown): string[] {
  const [one, other] = [expected, found].map(
    (value) => JSON.parse(JSON.stringify(value)) as unknown,
  );
  if (isDeepStrictEqual(one, other)) return [];
  return [`it gives ${JSON.stringify(other)}, recorded is ${JSON.stringify(one)}`];
}
