import { parse } from 'yaml';
import { faultsOfResponse } from './validate-response.js';
import { derivedFailureChecks, missingRefusals, refusedOnce } from './derived-failures.js';
import { compiledOf, type Ran } from './engine.js';
import { fixturesOf, type NamedFixture, refusalsOf, verificationsOf } from './fixture.js';
import { differences, keptAnswer } from './kept-answer.js';
import { writeBody } from './message.js';
import type { ProviderFolder } from './folders.js';
import { filterChecks } from './filter-checks.js';
import type { Check } from './named-check.js';
import { excusedOf, planFile } from './plan.js';
import { replaying, walkPages } from './replay.js';
import { secretChecks } from './secret-checks.js';
import { wordFaults } from './verification.js';
import { verificationChecks } from './verification-checks.js';

interface Source {
  operations: Record<string, { page?: object; fields?: object }>;
}

/** The checks that every provider has to pass, with its fixtures in the place of the system. */
export function conformance(folder: ProviderFolder): Check[] {
  const fixtures = fixturesOf(folder);
  const { operations } = parse(folder.read('provider.yaml')) as Source;
  const works = fixtures.filter((fixture) => fixture.case === 'works');
  const paged = fixtures.filter(({ pages }) => pages !== undefined);
  const complete = {
    name: 'every operation has a success recorded, and the provider its refusals',
    run: () => Promise.resolve(missing(folder, operations, fixtures)),
  };
  // Without fixtures every other check would pass.
  if (works.length === 0) return [complete, ...verificationChecks(folder)];
  return [
    complete,
    ...verificationChecks(folder),
    ...fixtures
      .filter(({ answer }) => answer !== undefined)
      .map((fixture) => ({
        name: `${fixture.label} gives what was recorded, and keeps to the contract`,
        run: () => replayed(folder, fixture),
      })),
    ...paged.map((fixture) => ({
      name: `${fixture.label} reaches every row once`,
      run: () => walked(folder, fixture, false),
    })),
    ...paged
      .filter(({ operation }) => operation.query['cursor'] !== undefined)
      .map((fixture) => ({
        name: `${fixture.label} goes on after a restart`,
        run: () => walked(folder, fixture, true),
      })),
    {
      name: 'a 429 is waited out, by every operation',
      run: async () =>
        (await Promise.all(works.map((fixture) => waitedOut(folder, fixture)))).flat(),
    },
    ...derivedFailureChecks(folder, fixtures),
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
      .map((name) => `${folder.shown(planFile)}: ${name} is excused, and is there`),
    ...fixtures
      .filter(({ operation }) => operations[operation.id] === undefined)
      .map(({ file }) => `${folder.shown(`fixtures/${file}`)}: the document has no such operation`),
  ];
}

async function replayed(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  return await replaying(folder, fixture, {}, async (replay) => {
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
        ? [`the status is ${answer.status}: it does not work`]
        : []),
    ];
  });
}

/** `checks` and `errors` of the document that no fixture brings about: nobody has seen their messages. */
async function unmet(folder: ProviderFolder, fixtures: readonly NamedFixture[]): Promise<string[]> {
  const met = new Set<string>();
  const note = (ran: Ran) => ran.met.forEach((place) => met.add(place));
  for (const fixture of [...fixtures, ...verificationsOf(folder)])
    if (fixture.answer !== undefined)
      await replaying(folder, fixture, {}, async (replay) => note(await replay.run()));
  for (const ran of await refusedOnce(folder, fixtures)) note(ran);
  const excused = excusedOf(folder);
  return compiledOf(folder)
    .places.filter((place) => !met.has(place) && !excused.includes(place))
    .map(
      (place) =>
        `${place}: no fixture meets it; record a case that does (documented, where the system cannot be made to send it)`,
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
async function waitedOut(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  const { label, operation } = fixture;
  const refusal = refusalsOf(folder)?.refusals['429']?.response;
  if (refusal === undefined) return []; // reported once, as missing
  let refused = false;
  const first = () => {
    if (refused) return undefined;
    refused = true;
    const headers = { ...refusal.headers, 'retry-after': '1' };
    return { status: refusal.status, headers, bytes: writeBody(refusal) };
  };
  return await replaying(folder, fixture, { first }, async (replay) => {
    const begun = performance.now();
    const ran = await replay.run();
    const waited = performance.now() - begun;
    // A file that was on its way cannot be sent again: the caller is told.
    if (operation.request === 'multipart' && ran.answer.status === 429) return [];
    return [
      ...replay.faults,
      ...replay.missing,
      ...differences(fixture.answer, keptAnswer(ran)),
      ...(waited >= 900 ? [] : [`it came again after ${Math.round(waited)} ms, asked to wait 1 s`]),
    ].map((fault) => `${label}: ${fault}`);
  });
}
