import { budgetOf } from './derived-failures.js';
import type { Ran } from './engine.js';
import {
  type NamedVerification,
  type RefusalStatus,
  refusalsOf,
  verificationFile,
  verificationsOf,
} from './fixture.js';
import { kitCommand, type ProviderFolder } from './folders.js';
import { differences, keptAnswer } from './kept-answer.js';
import { writeBody } from './message.js';
import type { Check } from './named-check.js';
import { excusedOf, planFile } from './plan.js';
import type { Given } from './provider-server.js';
import { withReplay } from './replay.js';
import { capturingLog, leaksOf, repeatsRequest } from './secret-checks.js';
import {
  permissionFaults,
  statusFaults,
  textOf,
  type WantedVerification,
  wantedVerifications,
} from './verification.js';

/** Lists verification cases that are missing, and those that the document does not need. */
export function missingVerifications(folder: ProviderFolder): string[] {
  const wanted = wantedVerifications(folder);
  const there = verificationsOf(folder).map((fixture) => fixture.case);
  const excused = excusedOf(folder);
  const file = folder.shown(verificationFile);
  return [
    ...wanted
      .filter(({ name }) => !there.includes(name) && !excused.includes(`verify.${name}`))
      .filter(() => folder.needsRecordings)
      .map(
        ({ name, about }) =>
          `${file}: the case ${name} is missing, ${about}; ${kitCommand} record ${folder.argument} --only verify writes it`,
      ),
    ...wanted
      .filter(({ name }) => there.includes(name) && excused.includes(`verify.${name}`))
      .map(
        ({ name }) =>
          `${folder.shown(planFile)}: verify.${name} is listed under without, but exists`,
      ),
    ...there
      .filter((name) => !wanted.some((one) => one.name === name))
      .map((name) => `${file}: verify of the document has no case ${name}`),
  ];
}

/**
 * Checks that recorded verifications end as recorded, and that every failing call of a good configuration is explained.
 */
export function verificationChecks(folder: ProviderFolder): Check[] {
  const wanted = wantedVerifications(folder);
  const fixtures = verificationsOf(folder);
  const recorded = fixtures.flatMap((fixture) => {
    const one = wanted.find(({ name }) => name === fixture.case);
    if (one === undefined) return [];
    return {
      name: `${fixture.label} returns the recorded response for ${one.about}`,
      run: () => checkRecorded(folder, fixture, one),
    };
  });
  const works = fixtures.find((fixture) => fixture.case === 'works');
  if (works === undefined || wanted.length === 0) return recorded;
  return [
    ...recorded,
    ...failures.map(({ about, given, faults }) => ({
      name: `a configuration is refused for ${about}, at each call of its verification`,
      run: () => runWithFailures(folder, works, given, faults),
    })),
  ];
}

async function checkRecorded(
  folder: ProviderFolder,
  fixture: NamedVerification,
  wanted: WantedVerification,
): Promise<string[]> {
  return await withReplay(folder, fixture, {}, async (replay) => {
    const ran = await replay.run();
    return [
      ...replay.faults,
      ...replay.missing,
      ...wanted.faults(ran),
      ...differences(fixture.answer, keptAnswer(ran)),
    ];
  });
}

interface Failure {
  about: string;
  /** Returns the provider's refusal; undefined if the folder does not contain it. */
  given: (folder: ProviderFolder) => Given | undefined;
  faults: (ran: Ran, needs: string | undefined) => string[];
}

const failures: Failure[] = [
  {
    about: 'a secret that the provider refuses',
    given: refusal('401'),
    faults: (ran) => [
      ...statusFaults(ran, [502]),
      ...(textOf(ran, 'message').includes('crd_kit_') ? [] : ['it does not name the credential']),
    ],
  },
  {
    about: 'a missing permission',
    given: refusal('403'),
    faults: (ran, needs) => [...statusFaults(ran, [502]), ...permissionFaults(ran, needs)],
  },
  {
    about: 'a record that is not visible to the owner of the credential',
    given: refusal('404'),
    faults: (ran, needs) => [...statusFaults(ran, [400]), ...permissionFaults(ran, needs)],
  },
  { about: 'a limit', given: refusal('429'), faults: (ran) => statusFaults(ran, [429]) },
  ...down('is down', { status: 503, bytes: Buffer.from('Service Unavailable') }),
  ...down('fails', { status: 500, bytes: Buffer.from('Internal Server Error') }),
  ...down('disconnects', { status: 200, bytes: Buffer.from('{"kit'), fault: 'cut' }),
  ...down('does not respond', { status: 200, bytes: Buffer.from(''), fault: 'silent' }),
];

function refusal(status: RefusalStatus): Failure['given'] {
  return (folder) => {
    const response = refusalsOf(folder)?.refusals[status]?.response;
    return response && { ...response, bytes: writeBody(response) };
  };
}

/** Checks that the error does not blame the credential. */
function down(about: string, given: Given): Failure[] {
  return [
    {
      about: `a provider that ${about}`,
      given: () => given,
      faults: (ran) => [
        ...statusFaults(ran, [502, 503, 504]),
        ...(textOf(ran, 'message').includes('credential')
          ? [`it blames the credential: ${textOf(ran, 'message')}`]
          : []),
      ],
    },
  ];
}

async function runWithFailures(
  folder: ProviderFolder,
  fixture: NamedVerification,
  givenIn: Failure['given'],
  faultsOf: Failure['faults'],
): Promise<string[]> {
  const given = givenIn(folder);
  if (given === undefined) return []; // Reported once, as missing.
  const limited = refusalsOf(folder)?.refusals['429'];
  const budgetMs = limited && budgetOf(limited);
  const found = await capturingLog((logged) =>
    Promise.all(
      fixture.exchanges.map(async ({ request: { method, url } }, index) => {
        const give = (arrived: Parameters<typeof repeatsRequest>[0]) =>
          repeatsRequest(arrived, given);
        const options = { instead: { index, give }, budgetMs };
        return await withReplay(folder, fixture, options, async (replay) => {
          const ran = await replay.run();
          return [
            ...replay.faults,
            ...leaksOf(replay, ran, logged),
            ...faultsOf(ran, fixture.needs[index]),
          ].map((fault) => `${method} ${url}: ${fault}`);
        });
      }),
    ),
  );
  return found.flat();
}
