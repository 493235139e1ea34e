import { isDeepStrictEqual } from 'node:util';
import { type NamedVerification, verificationsOf } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import type { Check } from './named-check.js';
import { planOf } from './plan.js';
import { replaying } from './replay.js';
import { type VerificationCase, verificationCases } from './verification.js';

/** The fixtures of the verification that lack, and those that nothing asks for. */
export function missingVerifications(folder: ProviderFolder): string[] {
  const wanted = verificationCases(folder);
  const there = verificationsOf(folder).map((fixture) => fixture.case);
  const excused = folder.has('fixtures/record.yaml')
    ? Object.values(planOf(folder).without ?? {}).flat()
    : [];
  return [
    ...wanted
      .filter(({ name }) => !there.includes(name) && !excused.includes(`verify.${name}`))
      .map(
        ({ name, about }) =>
          `${folder.shown(`fixtures/verify.${name}.yaml`)}: there is none for ${about}; npm run -s provider -- record ${folder.name} --only verify writes it`,
      ),
    ...wanted
      .filter(({ name }) => there.includes(name) && excused.includes(`verify.${name}`))
      .map(
        ({ name }) =>
          `${folder.shown('fixtures/record.yaml')}: verify.${name} is excused, and is there`,
      ),
    ...there
      .filter((name) => !wanted.some((one) => one.name === name))
      .map(
        (name) =>
          `${folder.shown(`fixtures/verify.${name}.yaml`)}: verify of the document has no such case`,
      ),
  ];
}

/** Every recorded try of a configuration ends as it did, and says what it has to say. */
export function verificationChecks(folder: ProviderFolder): Check[] {
  const cases = verificationCases(folder);
  return verificationsOf(folder).flatMap((fixture) => {
    const one = cases.find(({ name }) => name === fixture.case);
    if (one === undefined) return [];
    return {
      name: `${fixture.file} gives what was recorded for ${one.about}`,
      run: () => replayed(folder, fixture, one),
    };
  });
}

async function replayed(
  folder: ProviderFolder,
  fixture: NamedVerification,
  one: VerificationCase,
): Promise<string[]> {
  return await replaying(folder, fixture, {}, async (replay) => {
    const { answer } = await replay.run();
    const isSame = isDeepStrictEqual(fixture.answer, JSON.parse(JSON.stringify(answer)));
    return [
      ...replay.faults,
      ...replay.missing,
      ...one.faults(answer),
      ...(isSame
        ? []
        : [`it gives ${JSON.stringify(answer)}, recorded is ${JSON.stringify(fixture.answer)}`]),
    ];
  });
}
