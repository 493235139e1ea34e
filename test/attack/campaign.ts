import type { Onefold } from '../e2e/onefold.js';
import { sendAttack, curlOf, type Sent } from './repeat.js';
import { attackOf } from './generate.js';
import { type Memory, memoryOf } from './memory.js';
import { startProvider } from './provider.js';
import { shrink } from './shrink.js';
import {
  type Configurations,
  createMocks,
  createValues,
  type Integrations,
  type Values,
} from './target.js';

export interface Plan {
  seed: number;
  /** Number of the first request; each has its own random source. */
  first?: number;
  /** True while another request should be sent. */
  goesOn: (index: number) => boolean;
  /** Ticketing systems beside the mock. */
  systems?: Configurations;
}

export interface Finding {
  index: number;
  fault: string;
  /** Number of findings of the same kind. */
  times: number;
  curl: string;
}

/** Memory of a process after a number of requests. */
export interface Measured extends Memory {
  requests: number;
}

export interface Outcome {
  requests: number;
  /** Responses by status. */
  statuses: Record<string, number>;
  findings: Finding[];
  /** Memory of each process: after the warm-up, at every interval, and at the end. */
  memory: Record<string, Measured[]>;
  /** Processes that stopped or are not ready. */
  unwell: string[];
  /** The slowest requests, slowest first. */
  slowest: { index: number; ms: number }[];
}

const connections = 8;
/** Records are created again after this number of requests, because some requests delete or break them. */
const roundLength = 400;
/** The integrations of mocks are created again only after so many rounds, because a walk over every domain is long. */
const mocksInterval = 5;
/** Requests before memory is measured: memory that a process allocates once is not a leak. */
const warmUp = 600;
const memoryInterval = 25_000;
const maxFindings = 25;
const shownSlowest = 3;

/** Sends the requests of a seed to a running Onefold, and collects faults of its responses. */
export async function attackService(onefold: Onefold, plan: Plan): Promise<Outcome> {
  const { api, processes } = onefold;
  const provider = await startProvider();
  const findings = new Map<string, Finding>();
  const outcome: Outcome = {
    requests: 0,
    statuses: {},
    findings: [],
    memory: {},
    unwell: [],
    slowest: [],
  };
  let next = plan.first ?? 0;
  let measureAt = warmUp;
  let mocks: Integrations = {};
  const isAlive = () =>
    Object.values(processes).every(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
  const inFlight = new Map<number, number>();

  async function attack(index: number, values: Values): Promise<void> {
    inFlight.set(index, index);
    const send = () => sendAttack(api.url, attackOf(plan.seed, index), index, values);
    let sent = await send();
    // A request that waited for another one, or for the machine, is answered in the second try; the cause of the wait
    // is not.
    if (sent.received.end === 'timed out') sent = await send();
    if (isAlive()) inFlight.delete(index);
    outcome.requests += 1;
    for (const { status } of sent.received.responses)
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
    outcome.slowest = [...outcome.slowest, { index, ms: Math.round(sent.received.ms) }]
      .sort((one, other) => other.ms - one.ms)
      .slice(0, shownSlowest);
    if (sent.fault === undefined) return;
    const kind = kindOf(sent, causeOf(sent));
    const known = findings.get(kind);
    if (known) known.times += 1;
    else if (findings.size < maxFindings) {
      const cause = causeOf(sent);
      const fault = cause === '' ? sent.fault : `${sent.fault}\n  the log says: ${cause}`;
      const finding = { index, fault, times: 1, curl: '' };
      findings.set(kind, finding);
      const isQuick = sent.received.end !== 'timed out';
      finding.curl = isQuick ? await shortest(sent, index, values) : curlOf(api.url, sent);
    }
  }

  /** Returns the log of a process about the request whose response is a 500. */
  function causeOf({ fault = '' }: Sent): string {
    const id = /"instance":"\/requests\/([^"]+)"/.exec(fault)?.[1];
    if (id === undefined) return '';
    const lines = Object.values(processes).flatMap(({ output }) =>
      output()
        .slice(-200_000)
        .split('\n')
        .filter((line) => line.includes(id)),
    );
    return /"error":(.{0,400})/.exec(lines.join(' '))?.[1] ?? '';
  }

  /** Returns the curl command of the smallest request that fails in the same way. */
  async function shortest(sent: Sent, index: number, values: Values): Promise<string> {
    const kind = kindOf(sent, causeOf(sent));
    let best = sent;
    await shrink(sent.attack, async (smaller) => {
      if (!isAlive()) return false;
      const again = await sendAttack(api.url, smaller, index, values);
      const fails = again.fault !== undefined && kindOf(again, causeOf(again)) === kind;
      if (fails) best = again;
      return fails;
    });
    return curlOf(api.url, best);
  }

  async function measureMemory(): Promise<void> {
    for (const [name, process] of Object.entries(processes))
      (outcome.memory[name] ??= []).push({
        requests: outcome.requests,
        ...(await memoryOf(process)),
      });
  }

  try {
    for (let round = 0; plan.goesOn(next) && isAlive(); round += 1) {
      if (round % mocksInterval === 0) mocks = await createMocks(api, round);
      const values = await createValues(api, provider.url, round, plan.systems ?? [], mocks);
      const end = next + roundLength;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (next < end && isAlive() && plan.goesOn(next)) {
            next += 1;
            await attack(next - 1, values);
          }
        }),
      );
      if (outcome.requests >= measureAt && isAlive()) {
        await measureMemory();
        measureAt = (Math.floor(outcome.requests / memoryInterval) + 1) * memoryInterval;
      }
    }
    if (!isAlive()) {
      const suspects = [...inFlight.keys()].join(', ');
      outcome.unwell.push(`a process ended; under way were ${suspects}`);
    } else if (outcome.requests > warmUp) await measureMemory();
    outcome.unwell.push(...(await unready(onefold)));
  } finally {
    provider.stop();
  }
  outcome.findings = [...findings.values()];
  return outcome;
}

/** Removes details that differ from request to request, so that faults of one kind are reported once. */
function kindOf({ attack, fault = '' }: Sent, cause: string): string {
  const said = cause || /"message":"([^"]{0,60})/.exec(fault)?.[1] || fault.slice(0, 80);
  const status = /^\d{3}/.exec(fault)?.[0] ?? '';
  const where = cause === '' && status.startsWith('5') ? attack.operation : '';
  return `${status} ${where} ${said.replace(/[0-9a-z_-]{16,}|"[^"]*"|\d+/g, '…').slice(0, 120)}`;
}

async function unready({ processes }: Onefold): Promise<string[]> {
  const states = await Promise.all(
    Object.entries(processes).map(async ([name, { output }]) => {
      const observe = /"observe":"([^"]+)"|^Health and metrics: (\S+)/m.exec(output());
      const url = observe?.[1] ?? observe?.[2] ?? '';
      const text = await fetch(`${url}/health/ready`).then(
        async (response) => (response.ok ? '' : await response.text()),
        (error: unknown) => String(error),
      );
      return text === '' ? [] : [`${name} is not ready: ${text}`];
    }),
  );
  return states.flat();
}
