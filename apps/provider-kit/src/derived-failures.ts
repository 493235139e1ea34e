import { faultsOfResponse } from './validate-response.js';
import { compiledOf } from './compiled-folder.js';
import { type Ran } from './engine.js';
import {
  type Exchange,
  type NamedFixture,
  type Refusal,
  refusalsFile,
  refusalsOf,
  refusalStatuses,
  type RefusalStatus,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { writeBody } from './message.js';
import type { Check } from './named-check.js';
import { excusedOf } from './plan.js';
import { withReplay } from './replay.js';
import { capturingLog, carriesSecret, leaksOf, repeatsRequest } from './secret-checks.js';
import type { Arrived, Given } from './provider-server.js';

const maxBudgetMs = 60_000;

/** A call of the provider that fails during an operation that otherwise works. */
interface FailedCall {
  fixture: NamedFixture;
  index: number;
  /** The requests that failed: the first, and its repetitions. */
  arrived: Arrived[];
  ran: Ran;
}

/**
 * Checks the failures that follow from the engine and the document, at every call of every operation: the provider's
 * own refusals, and failures of any server. Each failing response repeats its request, and no secret may be shown.
 */
export function derivedFailureChecks(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
): Check[] {
  const works = fixtures.filter((fixture) => fixture.case === 'works');
  const all = async (check: (fixture: NamedFixture) => Promise<string[]>) =>
    (await Promise.all(works.map(check))).flat();
  return [
    ...refusalStatuses.map((status) => ({
      name: `every operation reports a ${status} of each of its calls`,
      run: () => all((fixture) => refused(folder, fixture, status)),
    })),
    {
      name: 'every operation reports a provider that fails, disconnects or does not respond at each of its calls',
      run: () => all((fixture) => checkBrokenProvider(folder, fixture)),
    },
  ];
}

/** Lists the refusals that are missing from a folder. */
export function missingRefusals(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
): string[] {
  const { refusals = {} } = refusalsOf(folder) ?? {};
  const excused = excusedOf(folder);
  const hasPaths = fixtures.some(({ operation }) => operation.path.includes('{'));
  if (!folder.needsRecordings) return [];
  return refusalStatuses
    .filter((status) => status !== '404' || hasPaths)
    .filter((status) => refusals[status] === undefined && !excused.includes(`refusals.${status}`))
    .map(
      (status) =>
        `${folder.shown(refusalsFile)}: ${status} is missing; record the provider's response that means it`,
    );
}

/** Checks each refusal of the provider at the first call of an operation. */
export async function checkRefusal(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
): Promise<Ran[]> {
  const [fixture] = fixtures.filter((one) => one.case === 'works');
  if (fixture === undefined) return [];
  const refusals = Object.values(refusalsOf(folder)?.refusals ?? {});
  const found = await Promise.all(
    refusals.map((refusal) =>
      runWithFailures(folder, fixture, () => givenOf(folder, refusal, delayOf(folder, fixture)), {
        budgetMs: budgetOf(refusal),
        maxCalls: 1,
      }),
    ),
  );
  return found.flatMap(({ calls }) => calls.map(({ ran }) => ran));
}

async function refused(
  folder: ProviderFolder,
  fixture: NamedFixture,
  status: RefusalStatus,
): Promise<string[]> {
  const refusal = refusalsOf(folder)?.refusals[status];
  if (refusal === undefined) return []; // Reported once, as missing.
  const refusalAt = (index: number) => fitting(refusal, status, fixture.exchanges[index]);
  const budgetMs = budgetOf(refusal);
  const delayMs = delayOf(folder, fixture);
  const give = (index: number) => givenOf(folder, refusalAt(index), delayMs);
  const found = await runWithFailures(folder, fixture, give, { budgetMs });
  const faults = found.calls.flatMap((call) => {
    const sent = refusalAt(call.index);
    const isResult =
      accepts(folder, call, sent.response.status) || (status === '429' && keepsRows(call));
    return inContext(call, isResult ? accepted(call) : refusalFaults(call, status, sent));
  });
  const reset = status === '429' ? await ownReset(folder, fixture, refusal) : [];
  const all = [...found.faults, ...faults, ...reset];
  const label = `${fixture.operation.id}.${status}`;
  if (!excusedOf(folder).includes(label)) return all;
  return all.length > 0 ? [] : [`${label} is listed under without, but is not needed`];
}

/** A refusal with a success status is one of the provider's API; a file store refuses by its status only. */
function fitting(refusal: Refusal, status: RefusalStatus, exchange: Exchange | undefined): Refusal {
  const isOfApi = refusal.response.status >= 300 || exchange?.response.json !== undefined;
  return isOfApi ? refusal : { response: { status: Number(status) } };
}

function refusalFaults(
  { fixture, arrived, ran }: FailedCall,
  status: RefusalStatus,
  { response, words, seconds }: Refusal,
): string[] {
  const { answer, state } = ran;
  const { message = '', remediation = '', context = {} } = problemOf(ran);
  const details = context.provider_details ?? {};
  const [call] = arrived;
  const credential = call !== undefined && carriesSecret(call) ? credentialOf(details) : '';
  const { needs } = fixture;
  const must = (holds: boolean, fault: string) => (holds ? [] : [fault]);
  const wanted = { 401: 502, 403: 502, 404: 404, 429: 429 }[status];
  const states = {
    401: 'credentials_refused',
    403: 'permission_missing',
    429: 'rate_limited',
    404: undefined,
  };
  return [
    ...must(answer.status === wanted, `the status is ${answer.status}, not ${wanted}`),
    ...must(
      states[status] === undefined || state === states[status],
      `the state of the integration is ${state}, not ${states[status]}`,
    ),
    ...must(
      details['status'] === String(response.status),
      `the provider's status is not ${response.status} in ${JSON.stringify(details)}`,
    ),
    ...must(
      details['needs'] === needs,
      `it names the permission ${details['needs']}, recorded is ${needs}`,
    ),
    ...must(
      status !== '403' || needs === undefined || remediation.includes(`"${needs}"`),
      `its remediation does not name the permission "${needs}": ${remediation}`,
    ),
    ...must(
      credential !== undefined &&
        (!['401', '403'].includes(status) || message.includes(credential)),
      `it does not name the credential: ${message}`,
    ),
    ...must(
      ran.words === words,
      `the document reads "${ran.words}" out of the response, recorded is "${words}"`,
    ),
    ...must(
      words === undefined || message.includes(words),
      `it does not say "${words}": ${message}`,
    ),
    ...must(
      status !== '429' || answer.headers?.['retry-after'] === String(seconds),
      `it says retry-after ${answer.headers?.['retry-after']}, recorded is ${seconds}`,
    ),
  ];
}

/** Without `Retry-After`, the provider's own header says when its limit ends. */
async function ownReset(
  folder: ProviderFolder,
  fixture: NamedFixture,
  refusal: Refusal,
): Promise<string[]> {
  const { resets = [] } = compiledOf(folder).document.source.http.retry ?? {};
  if (resets.length === 0) return [];
  const { 'retry-after': _after, ...headers } = refusal.response.headers ?? {};
  if (!resets.some(({ header }) => headers[header.toLowerCase()] !== undefined))
    return [`${folder.shown(refusalsFile)}: the 429 has no header that http.retry.resets names`];
  const response = { ...refusal.response, headers };
  const given = givenOf(folder, { response }, delayOf(folder, fixture));
  const { calls } = await runWithFailures(folder, fixture, () => given, {
    budgetMs: budgetOf(refusal),
    maxCalls: 1,
  });
  const [seconds] = calls.map(({ ran }) => Number(ran.answer.headers?.['retry-after']));
  const isToTheMinute = Object.values(headers).some((value) => /T\d\d:\d\dZ$/.test(value));
  return Math.abs((seconds ?? NaN) - (refusal.seconds ?? NaN)) <= (isToTheMinute ? 60 : 1)
    ? []
    : [
        `by the provider's own header it says retry-after ${seconds}, recorded is ${refusal.seconds}`,
      ];
}

async function checkBrokenProvider(
  folder: ProviderFolder,
  fixture: NamedFixture,
): Promise<string[]> {
  const bytes = Buffer.from('{"kit_cause":"internal error"}');
  const json = { 'content-type': 'application/json' };
  const ways: [about: string, given: Given, statuses: number[]][] = [
    ['a 500', { status: 500, headers: json, bytes }, [502]],
    ['a response that breaks off', { status: 200, headers: json, bytes, fault: 'cut' }, [502]],
    ['silence', { status: 200, bytes, fault: 'silent' }, [504]],
  ];
  const found = await Promise.all(
    ways.map(async ([about, given, statuses]) => {
      const { faults, calls } = await runWithFailures(folder, fixture, () => given, {});
      return [
        ...faults,
        ...calls.flatMap((call) => inContext(call, brokenFaults(folder, call, statuses))),
      ].map((fault) => `${about}: ${fault}`);
    }),
  );
  return found.flat();
}

function brokenFaults(folder: ProviderFolder, call: FailedCall, statuses: number[]): string[] {
  if (statuses.includes(504) && keepsRows(call)) return [];
  const { fixture, arrived, ran } = call;
  const [first] = arrived;
  const details = problemOf(ran).context?.provider_details ?? {};
  const request = String(details['request']);
  const repeats = stepsOf(folder, fixture).some(
    ({ method, repeatable }) => method === first?.method && repeatable,
  );
  return [
    ...(statuses.includes(ran.answer.status)
      ? []
      : [`the status is ${ran.answer.status}, not ${statuses.join(' or ')}`]),
    ...(request.startsWith(`${first?.method} http`) ? [] : [`it names the request ${request}`]),
    ...(arrived.length === 1 || repeats
      ? []
      : [`it was sent ${arrived.length} times, although repeating it does harm`]),
  ];
}

interface Conditions {
  /** Time for the whole operation; the default if absent. */
  budgetMs?: number | undefined;
  maxCalls?: number;
}

/** Runs an operation once for each of its calls, which fails in that run. */
async function runWithFailures(
  folder: ProviderFolder,
  fixture: NamedFixture,
  giveAt: (index: number) => Given,
  { budgetMs, maxCalls = Infinity }: Conditions,
): Promise<{ calls: FailedCall[]; faults: string[] }> {
  const indexes = fixture.exchanges.map((_exchange, index) => index).slice(0, maxCalls);
  return await capturingLog(async (logged) => {
    const faults: string[] = [];
    const calls = await Promise.all(
      indexes.map(async (index) => {
        const arrived: Arrived[] = [];
        const answer = (one: Arrived) => {
          arrived.push(one);
          return repeatsRequest(one, giveAt(index));
        };
        const options = { instead: { index, give: answer }, budgetMs };
        return await withReplay(folder, fixture, options, async (replay) => {
          const ran = await replay.run(undefined, ['api/response(all)']);
          const call = { fixture, index, arrived, ran };
          faults.push(...inContext(call, [...replay.faults, ...leaksOf(replay, ran, logged)]));
          if (arrived.length > 0) return [call];
          faults.push(...inContext(call, ['the call was not made']));
          return [];
        });
      }),
    );
    return { calls: calls.flat(), faults };
  });
}

/** True if a step accepts a refusal as a result, or if the list goes on without what was refused, and says so. */
function accepts(folder: ProviderFolder, { fixture, ran }: FailedCall, status: number): boolean {
  const { answer } = ran;
  if (answer.status >= 300) return false;
  const { messages } = (answer.body ?? {}) as { messages?: { problems?: { instance: string }[] } };
  const isNamed = messages?.problems?.some(({ instance }) => instance.endsWith('-left-out'));
  return isNamed === true || stepsOf(folder, fixture).some(({ accept }) => accept.has(status));
}

/** True if a list returned the rows that it had, with a cursor, when the provider did not give a later page for now. */
function keepsRows({ index, ran: { answer } }: FailedCall): boolean {
  const { result, cursor = '' } = (answer.body ?? {}) as { result?: unknown; cursor?: string };
  const hasRows = Array.isArray(result) && result.length > 0;
  return index > 0 && answer.status === 200 && hasRows && cursor !== '';
}

function accepted({ fixture: { operation }, ran: { answer } }: FailedCall): string[] {
  return faultsOfResponse(operation, answer.status, answer.body);
}

/** Lists the steps of an operation, and of the reads that it makes. */
function stepsOf(folder: ProviderFolder, { operation: { id } }: NamedFixture) {
  const { operations, reads } = compiledOf(folder).document;
  const operation = operations.get(id);
  const others = [operation?.current, operation?.then?.operation];
  return [operation, ...others.map((name) => reads.get(name ?? ''))].flatMap(
    (one) => one?.steps ?? [],
  );
}

/**
 * Returns the refusal of a status.
 * @param delayMs how much later than recorded it is sent: the times in its headers move by as much
 */
function givenOf(folder: ProviderFolder, { response }: Refusal, delayMs: number): Given {
  const { status, headers = {} } = response;
  const { resets = [] } = compiledOf(folder).document.source.http.retry ?? {};
  const moved = resets.flatMap(({ header, unit }) => {
    const text = headers[header.toLowerCase()];
    return text === undefined ? [] : [[header.toLowerCase(), moveTime(text, unit, delayMs)]];
  });
  return {
    status,
    headers: { ...headers, ...(Object.fromEntries(moved) as Record<string, string>) },
    bytes: writeBody(response),
  };
}

function moveTime(text: string, unit: string, delayMs: number): string {
  if (unit === 'date') return new Date(Date.parse(text) + delayMs).toISOString();
  if (unit === 'epoch') return String(Number(text) + delayMs / 1000);
  return unit === 'epoch_ms' ? String(Number(text) + delayMs) : text;
}

function delayOf(folder: ProviderFolder, { at }: NamedFixture): number {
  return Date.parse(at) - Date.parse(refusalsOf(folder)?.at ?? at);
}

/**
 * Milliseconds for a call at a 429: less than the provider asks to wait, so that it fails at once instead of waiting.
 */
export function budgetOf({ seconds }: Refusal): number | undefined {
  return seconds === undefined ? undefined : Math.min(maxBudgetMs, seconds * 1000);
}

function inContext({ fixture, index }: FailedCall, faults: string[]): string[] {
  const { method, url } = fixture.exchanges[index]?.request ?? {};
  return faults.map((fault) => `${fixture.label}, ${method} ${url}: ${fault}`);
}

interface Problem {
  message?: string;
  remediation?: string;
  context?: { provider_details?: Record<string, string> };
}

export function problemOf({ answer }: Ran): Problem {
  return answer.body ?? {};
}

function credentialOf(details: Record<string, string>): string | undefined {
  return details['credential_id']?.startsWith('crd_kit_') ? details['credential_id'] : undefined;
}
