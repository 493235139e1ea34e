import { rmSync } from 'node:fs';
import { withEngine } from './engine.js';
import {
  type TheirResponse,
  type VerificationFixtures,
  verificationFile,
  writeFixture,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { keptAnswer } from './kept-answer.js';
import { excusedOf, type Live, planOf } from './plan.js';
import type { Recorder } from './recorder.js';
import { verifyOf, type WantedVerification, wantedVerifications } from './verification.js';

interface Way {
  credential?: Record<string, string>;
  before?: Recorder['before'];
}

/**
 * Verifies the configuration as it is, and in each way in which the provider's response makes it invalid.
 * @returns cases that could not be recorded
 */
export async function recordVerification(
  folder: ProviderFolder,
  live: Live,
  recorder: Recorder,
  said: (line: string) => void,
  at: number,
): Promise<string[]> {
  const wanted = wantedVerifications(folder);
  if (wanted.length === 0) {
    rmSync(new URL(verificationFile, folder.url), { force: true });
    return [];
  }
  const plan = planOf(folder);
  const excused = excusedOf(folder);
  const problems: string[] = [];
  const needs = verifyOf(folder).map((one) => one.needs);
  const fixtures: VerificationFixtures = { at: new Date(at).toISOString(), needs, cases: {} };
  for (const one of wanted) {
    if (excused.includes(`verify.${one.name}`)) continue;
    const tried: string[] = [];
    for (const way of waysTo(one, live, plan)) {
      recorder.before = way.before;
      const credential = way.credential === undefined ? {} : { credential: way.credential };
      const ran = await withEngine(recorder.engine(at, credential), (engine) => engine.verify());
      recorder.before = undefined;
      const exchanges = recorder.take();
      const faults = one.faults(ran);
      tried.push(...faults);
      if (faults.length > 0) continue;
      fixtures.cases[one.name] = { exchanges, answer: keptAnswer(ran) };
      break;
    }
    if (fixtures.cases[one.name] === undefined) problems.push(notHad(one, tried));
  }
  writeFixture(folder, verificationFile, fixtures);
  said(folder.shown(verificationFile));
  return problems;
}

function waysTo(one: WantedVerification, live: Live, plan: ReturnType<typeof planOf>): Way[] {
  const { at = 1, of } = one;
  if (one.name === 'works') return [{}];
  const planned = plan.verify?.[of?.needs ?? ''];
  const inPlaceOf = (answer: TheirResponse | undefined): Way[] =>
    answer === undefined
      ? []
      : [{ before: (number) => Promise.resolve(number === at ? answer : undefined) }];
  if (one.name.startsWith('wrong_')) return inPlaceOf(planned?.wrong);
  const credential = live.lacking?.[of?.needs ?? ''] ?? planned?.credential;
  const { forbidden } = live;
  return [
    ...(credential === undefined ? [] : [{ credential }]),
    ...inPlaceOf(planned?.documented),
    ...(forbidden === undefined ? [] : [{ credential: forbidden }]),
  ];
}

function notHad({ name, about, of }: WantedVerification, tried: string[]): string {
  const remedy =
    of === undefined
      ? 'correct the document or the live system'
      : `say under verify of fixtures/record.yaml how "${of.needs}" is missing (credential, documented or wrong), or name it under without`;
  return `verify.${name}: ${about} could not be recorded${tried.length === 0 ? '' : ` (${tried.join('; ')})`}; ${remedy}`;
}
