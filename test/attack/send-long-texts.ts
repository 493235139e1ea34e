import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Onefold } from '../e2e/onefold.js';
import type { Attack } from './attack.js';
import { type LongText, longTextAttack, longTexts, maxLength } from './long-texts.js';
import { startProvider } from './provider.js';
import { sendAttack, type Sent } from './repeat.js';
import { createMocks, createValues, type Integrations } from './target.js';

export interface LongTextPlan {
  seed: number;
  /** True while another text should be sent. */
  goesOn: (sent: number) => boolean;
  /** Maximum number of bytes of a body; operations may allow fewer. */
  maxBytes: number;
  /** How many times as long a text of double length may take. */
  maxDoubling: number;
  /** Whether domains beside ticketing have integrations, whose operations are refused otherwise before their bodies are looked at. */
  allDomains: boolean;
}

export interface LongTextOutcome {
  sent: number;
  all: number;
  faults: string[];
  /** The most processor time that a request took, in milliseconds, and which one that was. */
  maxMs: number;
  slowest: string;
  /** Times of calls of a bystander meanwhile, in milliseconds. */
  bystander: { calls: number; median: number; p99: number; max: number };
}

/** Processor time below which no growth is looked for: it is known in hundredths of a second. */
const minMs = 250;
const looks = 3;
/** Work of the service beside the request is in its time: who is suspected is looked at more often, so that the lowest time has none of it. */
const looksOfSuspects = 15;
const bystanderPauseMs = 20;
const maxFaults = 25;

/** Sends long texts one after the other, and looks whether any takes longer than it is long, and how long a bystander waits. */
export async function sendLongTexts(
  onefold: Onefold,
  plan: LongTextPlan,
): Promise<LongTextOutcome> {
  const { api, processes } = onefold;
  const pids = Object.values(processes).map(({ child }) => child.pid ?? 0);
  const provider = await startProvider();
  const mocks: Integrations = plan.allDomains ? await createMocks(api, 0) : {};
  let values = await createValues(api, provider.url, 0, [], mocks);
  const all = longTexts(plan.seed);
  const outcome = { sent: 0, all: all.length, faults: [] as string[], maxMs: 0, slowest: '' };
  const bystander = watch(api.url, values.administrator);

  /** Sends an attack. @returns the processor time that it took */
  async function send(attack: Attack): Promise<Sent & { ms: number }> {
    const before = processorMs(pids);
    const sent = await sendAttack(api.url, attack, outcome.sent, values);
    return { ...sent, ms: processorMs(pids) - before };
  }

  async function lowest(one: LongText, length: number, times: number): Promise<number> {
    let ms = Infinity;
    for (let look = 0; look < times; look += 1)
      ms = Math.min(ms, (await send(longTextAttack(one, length))).ms);
    return ms;
  }

  /** Measures a text and its half. */
  async function growthOf(one: LongText, length: number, times: number) {
    const ms = await lowest(one, length, times);
    const half = await lowest(one, Math.floor(length / 2), times);
    return { ms, growth: ms / Math.max(half, 10) };
  }

  function isFault({ ms, growth }: { ms: number; growth: number }): boolean {
    return ms >= minMs && growth > plan.maxDoubling;
  }

  async function sendOne(one: LongText): Promise<void> {
    let length = maxLength(one, plan.maxBytes);
    let sent = await send(longTextAttack(one, length));
    const allowed = maxCharacters(sent);
    if (allowed !== undefined && allowed < length) {
      length = allowed;
      sent = await send(longTextAttack(one, length));
    }
    const name = `${one.operation.id}, ${one.place}, ${one.shape}, ${length} characters`;
    if (sent.fault !== undefined) outcome.faults.push(`${name}: ${sent.fault.slice(0, 300)}`);
    let { ms } = sent;
    if (ms >= minMs) {
      let look = await growthOf(one, length, looks);
      if (isFault(look)) look = await growthOf(one, length, looksOfSuspects);
      ({ ms } = look);
      if (isFault(look))
        outcome.faults.push(
          `${name}: ${ms} ms, ${look.growth.toFixed(1)} times as long as for half`,
        );
    }
    if (ms > outcome.maxMs) [outcome.maxMs, outcome.slowest] = [ms, name];
  }

  try {
    for (const one of all) {
      if (!plan.goesOn(outcome.sent) || outcome.faults.length >= maxFaults) break;
      await sendOne(one);
      outcome.sent += 1;
      // Some requests delete what others need.
      if (outcome.sent % 400 === 0)
        values = await createValues(api, provider.url, outcome.sent, [], mocks);
    }
  } finally {
    provider.stop();
  }
  return { ...outcome, bystander: await bystander.end() };
}

/** The maximum that a response names for a text that was too long. */
function maxCharacters({ received }: Sent): number | undefined {
  const text = received.responses.map(({ body }) => body).join('');
  const found = /must NOT have more than (\d+) characters/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Processor time of processes so far: fields 14 and 15 of their stats, in hundredths of a second. */
function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}

/** Calls the service from time to time, and measures how long it takes. */
function watch(url: string, token: string) {
  const times: number[] = [];
  let isOver = false;
  const headers = { authorization: `Bearer ${token}` };
  const ended = (async () => {
    while (!isOver) {
      const begun = performance.now();
      const response = await fetch(`${url}/v1/organization`, { headers });
      await response.arrayBuffer();
      times.push(performance.now() - begun);
      await sleep(bystanderPauseMs);
    }
  })();
  ended.catch(() => undefined);
  return {
    end: async (): Promise<LongTextOutcome['bystander']> => {
      isOver = true;
      await ended;
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
      return { calls: times.length, median: at(0.5), p99: at(0.99), max: at(1) };
    },
  };
}
