import { rmSync } from 'node:fs';
import { type TheirResponse, verificationsOf, writeFixture } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { using } from './engine.js';
import { type Live, originOf, planOf } from './plan.js';
import type { Recorder } from './recorder.js';
import { type VerificationCase, verificationCases } from './verification.js';

/** What a server that is down says, whoever made it (RFC 9110, 15.6.4). */
const down: TheirResponse = {
  status: 503,
  headers: { 'content-type': 'text/plain' },
  text: 'Service Unavailable',
};

interface Way {
  credential?: Record<string, string> | 'wrong';
  before?: Recorder['before'];
}

/** Tries the configuration as it is, and in each way in which it can be wrong. @returns what could not be recorded */
export async function recordVerification(
  folder: ProviderFolder,
  live: Live,
  recorder: Recorder,
  said: (line: string) => void,
): Promise<string[]> {
  const plan = planOf(folder);
  const excused = Object.values(plan.without ?? {}).flat();
  const problems: string[] = [];
  const written = new Set<string>();
  for (const one of verificationCases(folder)) {
    if (excused.includes(`verify.${one.name}`)) continue;
    const tried: string[] = [];
    for (const way of waysTo(one, live, plan)) {
      const at = Date.now();
      recorder.before = way.before;
      const credential = way.credential === undefined ? {} : { credential: way.credential };
      const ran = await using(recorder.engine(at, credential), (engine) => engine.verify());
      recorder.before = undefined;
      const exchanges = recorder.take();
      const faults = one.faults(ran.answer);
      tried.push(...faults);
      if (faults.length > 0) continue;
      const fixture = { ...originOf(live, at), exchanges, answer: ran.answer };
      said(writeFixture(folder, 'verify', one.name, fixture));
      written.add(`verify.${one.name}.yaml`);
      break;
    }
    if (!written.has(`verify.${one.name}.yaml`)) problems.push(notHad(one, tried));
  }
  for (const { file } of verificationsOf(folder))
    if (!written.has(file)) rmSync(new URL(`fixtures/${file}`, folder.url));
  return problems;
}

function waysTo(one: VerificationCase, live: Live, plan: ReturnType<typeof planOf>): Way[] {
  const { at = 1, of } = one;
  if (one.name === 'works') return [{}];
  if (one.name === 'wrong_credential') return [{ credential: 'wrong' }];
  if (one.name === 'down') return [{ before: () => Promise.resolve(down) }];
  const planned = plan.verify?.[of?.needs ?? ''];
  const inPlaceOf = (answer: TheirResponse | undefined): Way[] =>
    answer === undefined
      ? []
      : [{ before: (number) => Promise.resolve(number === at ? answer : undefined) }];
  if (one.name.startsWith('wrong_')) return inPlaceOf(planned?.wrong);
  const somebody = live.lacking?.[of?.needs ?? ''] ?? planned?.credential;
  const { fail, forbidden } = live;
  // Where a call has to show something, its lack shows by nothing; elsewhere by a refusal.
  const isRefused = of?.passes === undefined || of.message !== undefined;
  return [
    ...(somebody === undefined ? [] : [{ credential: somebody }]),
    ...inPlaceOf(planned?.documented),
    ...(forbidden === undefined ? [] : [{ credential: forbidden }]),
    ...(fail === undefined || !isRefused ? [] : [{ before: failing(fail, at) }]),
    ...(isRefused ? inPlaceOf(plan.documented?.['403']) : []),
  ];
}

function failing(fail: NonNullable<Live['fail']>, at: number): Recorder['before'] {
  return async (number) => {
    if (number === at) await fail(403);
    return undefined;
  };
}

function notHad({ name, about, of }: VerificationCase, tried: string[]): string {
  const remedy =
    of === undefined
      ? 'put the document or the live system right'
      : `say under verify of fixtures/record.yaml how "${of.needs}" is lacked (credential, documented or wrong), or name it under without`;
  return `verify.${name}: ${about} could not be had${tried.length === 0 ? '' : ` (${tried.join('; ')})`}; ${remedy}`;
}
