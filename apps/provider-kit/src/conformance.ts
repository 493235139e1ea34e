import { parse } from 'yaml';
import { faultsOfResponse } from './validate-response.js';
import { derivedFailureChecks, missingRefusals, checkRefusal } from './derived-failures.js';
import { compiledOf } from './compiled-folder.js';
import { type Ran } from './engine.js';
import { fixturesOf, type NamedFixture, refusalsOf, verificationsOf } from './fixture.js';
import { differences, keptAnswer } from './kept-answer.js';
import { writeBody } from './message.js';
import type { ProviderFolder } from './folders.js';
import { fakeChecks } from './fake-checks.js';
import { filterChecks } from './filter-checks.js';
import type { Check } from './named-check.js';
import type { Depth } from './over-fake/fake-setup.js';
import { excusedOf, planFile } from './plan.js';
import { withReplay, walkPages } from './replay.js';
import { secretChecks } from './secret-checks.js';
import { wordFaults } from './verification.js';
import { recordedVariation } from './variation/vary-fixtures.js';
import { verificationChecks } from './verification-checks.js';

interface Source {
  operations: Record<string, { page?: object; fields?: object }>;
}

/**
 * Checks that every provider must pass, with its fixtures and its fake in place of the system.
 * @param depth how much of the fake is checked; all when absent
 */
export function conformance(folder: ProviderFolder, depth?: Depth): Check[] {
  return [...fixtureChecks(folder, depth), ...fakeChecks(folder, depth)];
}

function fixtureChecks(folder: ProviderFolder, depth: Depth | undefined): Check[] {
  const fixtures = fixturesOf(folder);
  const { operations } = parse(folder.readDocument()) as Source;
  const works = fixtures.filter((fixture) => fixture.case === 'works');
  const paged = fixtures.filter(({ pages }) => pages !== undefined);
  const complete = {
    name: 'every operation has a recorded success, and the provider its refusals',
    run: () => Promise.resolve(missing(folder, operations, fixtures)),
  };
  // Nothing is recorded where nothing has to be: a check of it would pass with nothing to look at.
  if (fixtures.length === 0 && !folder.needsRecordings) return [];
  // Without fixtures every other check would pass.
  if (works.length === 0) return [complete, ...verificationChecks(folder)];
  return [
    complete,
    ...verificationChecks(folder),
    ...fixtures
      .filter(({ answer }) => answer !== undefined)
      .map((fixture) => ({
        name: `${fixture.label} returns the recorded response, which is valid by the contract`,
        run: () => checkReplay(folder, fixture),
      })),
    ...paged.map((fixture) => ({
      name: `${fixture.label} reaches every row once`,
      run: () => checkPages(folder, fixture, false),
    })),
    ...paged
      .filter(({ operation }) => operation.query['cursor'] !== undefined)
      .map((fixture) => ({
        name: `${fixture.label} continues after a restart`,
        run: () => checkPages(folder, fixture, true),
      })),
    {
      name: 'every operation waits after a 429',
      run: async () =>
        (await Promise.all(works.map((fixture) => checkWait(folder, fixture)))).flat(),
    },
    ...derivedFailureChecks(folder, fixtures),
    {
      name: 'every failure that the document distinguishes occurs in a fixture',
      run: () => listUnmetFailures(folder, fixtures),
    },
    ...secretChecks(folder, [...fixtures, ...verificationsOf(folder)]),
    ...filterChecks(folder, fixtures, operations),
    ...recordedVariation(folder, fixtures, depth),
  ];
}

function missing(
  folder: ProviderFolder,
  operations: Source['operations'],
  fixtures: readonly NamedFixture[],
): string[] {
  const excused = excusedOf(folder);
  const there = new Set(fixtures.map(({ label }) => label));
  const wanted = Object.entries(operations).flatMap(([id, { page }]) => [
    `${id}.works`,
    ...(page === undefined ? [] : [`${id}.pages`]),
  ]);
  return [
    ...wanted
      .filter((name) => !there.has(name) && !excused.includes(name) && folder.needsRecordings)
      .map((name) => {
        const [id, one] = name.split('.');
        return `${folder.shown(`fixtures/${id}.yaml`)}: the case ${one} is missing`;
      }),
    ...missingRefusals(folder, fixtures),
    ...excused
      .filter((name) => there.has(name))
      .map((name) => `${folder.shown(planFile)}: ${name} is listed under without, but exists`),
    ...fixtures
      .filter(({ operation }) => operations[operation.id] === undefined)
      .map(({ file }) => `${folder.shown(`fixtures/${file}`)}: the document has no such operation`),
  ];
}

async function checkReplay(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  return await withReplay(folder, fixture, {}, async (replay) => {
    const ran = await replay.run();
    const { answer } = ran;
    const { operation } = fixture;
    const kept = keptAnswer(ran);
    const isCheck = answer.status >= 400 && kept.place?.includes('.checks.');
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.answer, kept),
      ...faultsOfResponse(operation, answer.status, answer.body),
      ...(isCheck ? wordFaults(ran) : []),
      ...(fixture.case === 'works' && answer.status !== operation.response.status
        ? [`the operation failed with status ${answer.status}`]
        : []),
    ];
  });
}

/** Lists `checks` and `errors` of the document that occur in no fixture, so that their messages were never seen. */
async function listUnmetFailures(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
): Promise<string[]> {
  const met = new Set<string>();
  const note = (ran: Ran) => ran.met.forEach((place) => met.add(place));
  for (const fixture of [...fixtures, ...verificationsOf(folder)])
    if (fixture.answer !== undefined)
      await withReplay(folder, fixture, {}, async (replay) => note(await replay.run()));
  for (const ran of await checkRefusal(folder, fixtures)) note(ran);
  const excused = excusedOf(folder);
  return compiledOf(folder)
    .places.filter((place) => !met.has(place) && !excused.includes(place))
    .map(
      (place) =>
        `${place}: it occurs in no fixture; record a case with it (as documented, if the system cannot be made to send it)`,
    );
}

async function checkPages(
  folder: ProviderFolder,
  fixture: NamedFixture,
  restarts: boolean,
): Promise<string[]> {
  return await withReplay(folder, fixture, {}, async (replay) => {
    const one = replay.engine();
    const { pages, failed } = await walkPages(fixture, () => (restarts ? replay.engine() : one));
    const rows = pages.flat();
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.pages, pages),
      ...(failed === undefined ? [] : [`a page failed with ${JSON.stringify(failed)}`]),
      ...(new Set(rows).size === rows.length
        ? []
        : [`a row is returned twice: ${rows.join(', ')}`]),
      ...(fixture.exchanges.length > 1 ? [] : ['the provider has one page only: record more rows']),
    ];
  });
}

/** Replays a fixture with the provider's own refusal as the first response, which asks for a wait of a second. */
async function checkWait(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  const { label, operation } = fixture;
  const refusal = refusalsOf(folder)?.refusals['429']?.response;
  if (refusal === undefined) return []; // Reported once, as missing.
  let refused = false;
  const first = () => {
    if (refused) return undefined;
    refused = true;
    const headers = { ...refusal.headers, 'retry-after': '1' };
    return { status: refusal.status, headers, bytes: writeBody(refusal) };
  };
  return await withReplay(folder, fixture, { first }, async (replay) => {
    const ran = await replay.run();
    const { pausedMs } = replay;
    // A file that was being sent cannot be sent again, so the caller gets the error.
    if (operation.request === 'multipart' && ran.answer.status === 429) return [];
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.answer, keptAnswer(ran)),
      ...(pausedMs >= 1_000 ? [] : [`it was repeated after ${pausedMs} ms instead of 1 s`]),
    ].map((fault) => `${label}: ${fault}`);
  });
}
