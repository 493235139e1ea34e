import { servedDomains } from '#contract';
import type { SurveyedProcess } from '#bus';
import type { Status } from './status.js';

/** Expiries of tokens and schedules are compared across processes. */
const maxClockMs = 5_000;
const maxOldestSeconds = 300;

/** Kinds of processes without which a part of the service stands still. */
const needed: readonly [string, string][] = [
  ['gateway', 'no call of the API is answered'],
  ['management', 'no token is accepted'],
  ['operations', 'jobs and deliveries of webhooks wait'],
  ['connector', 'no integration is called'],
];

/** Says what is missing or fails. @param wanted domains that must be served, by --domains */
export function findProblems(status: Status, wanted: readonly string[]): string[] {
  const unasked = status.unasked.map(
    ({ part, reason }) => `${part} could not be asked: ${reason}.`,
  );
  return [
    ...unasked,
    ...processProblems(status),
    ...domainProblems(status, wanted),
    ...workProblems(status),
  ];
}

/** Returns the domains that connectors serve, with their number. */
export function servedBy(processes: readonly SurveyedProcess[]): Map<string, number> {
  const served = new Map<string, number>();
  for (const one of processes)
    for (const domain of one.domains ?? one.serves ?? [])
      if (servedDomains.includes(domain)) served.set(domain, (served.get(domain) ?? 0) + 1);
  return served;
}

function processProblems({ processes, silent = [], refused = [] }: Status): string[] {
  if (processes === undefined) return [];
  const kinds = new Set(processes.map(({ kind }) => kind));
  const isOlder = processes.some(({ kind }) => kind === undefined);
  const missing = needed.flatMap(([kind, means]) =>
    kinds.has(kind) || kinds.has('standalone') || isOlder ? [] : [`no ${kind} runs: ${means}.`],
  );
  const versions = new Set(processes.flatMap(({ version }) => version ?? []));
  return [
    ...(processes.length === 0 ? [] : missing),
    ...(processes.length === 0
      ? ['no process answered: none runs, or all have another key (KEY_FILE, BUS_KEY_FILE).']
      : []),
    ...processes.flatMap(problemsOfProcess),
    ...silent.map(
      ({ process, serves }) =>
        `${process} (${serves.join(', ') || 'serves nothing'}) listens and does not answer: it hangs or is overloaded.`,
    ),
    ...refused.map(
      ({ process, reason, key, clockMs }) =>
        `messages of ${process} are refused (${reason}${clockMs === undefined ? `, its key is ${key}` : `, its clock is ${seconds(clockMs)} off`}): ${
          clockMs === undefined ? 'give it the key file of the others' : 'synchronize its clock'
        }.`,
    ),
    ...(versions.size > 1 ? [`processes have versions ${[...versions].join(', ')}.`] : []),
  ];
}

function problemsOfProcess({
  process,
  kind = 'process',
  ready,
  checks = {},
  clockMs = 0,
}: SurveyedProcess) {
  const name = `${kind} ${process}`;
  const lacks = Object.entries(checks).filter(([, says]) => says !== 'ok');
  return [
    ...(ready === false
      ? [`${name} is not ready: ${lacks.map(([check, says]) => `${check}: ${says}`).join('; ')}.`]
      : []),
    ...(Math.abs(clockMs) > maxClockMs
      ? [`the clock of ${name} is ${seconds(clockMs)} from the one here: synchronize both by NTP.`]
      : []),
  ];
}

function domainProblems({ processes, integrations }: Status, wanted: readonly string[]): string[] {
  if (processes === undefined) return [];
  const served = servedBy(processes);
  const withIntegrations = Object.entries(integrations?.domains ?? {});
  const lacking = withIntegrations.flatMap(([domain, count]) =>
    served.has(domain) || !servedDomains.includes(domain)
      ? []
      : [
          `no connector serves ${domain}, which ${count} integrations need: start one with it in DOMAINS.`,
        ],
  );
  const named = wanted
    .filter((domain) => !served.has(domain) && integrations?.domains[domain] === undefined)
    .map(
      (domain) =>
        `no connector serves ${domain}, which --domains names: start one with it in DOMAINS.`,
    );
  return [...lacking, ...named];
}

function workProblems({ queue, jobs, integrations, providersDown }: Status): string[] {
  return [
    ...(queue !== undefined && queue.dead > 0
      ? [`${queue.dead} tasks of the queue failed as often as they may.`]
      : []),
    ...(queue !== undefined && queue.oldestSeconds > maxOldestSeconds
      ? [`the oldest task has waited for ${queue.oldestSeconds} s: start more workers.`]
      : []),
    ...(jobs !== undefined && jobs.failing > 0 ? [`${jobs.failing} jobs fail.`] : []),
    ...(integrations !== undefined && integrations.failing > 0
      ? [`${integrations.failing} of ${integrations.total} integrations fail.`]
      : []),
    ...providersDown.map(({ host, reason }) => `calls to ${host} are paused: ${reason}.`),
  ];
}

export function seconds(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1_000).toFixed(1)} s`;
}
