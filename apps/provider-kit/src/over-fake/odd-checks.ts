import type { OperationId } from '#contract';
import { ocsfFaults } from '../ocsf-faults.js';
import { identityOf, ownIdentityOf } from '../record-identity.js';
import { faultsOfResponse } from '../validate-response.js';
import type { Read } from '../variation/find-reads.js';
import { type FakeSetup, isChecked, openSmallFake, unlimited } from './fake-setup.js';
import type { OverFake } from './over-fake.js';
import type { Answer, Json } from './over-provider.js';
import { isList } from './own-lists.js';

/** Limit of the smallest tier: a list of some pages runs into it. */
const tier = { requests: 12, seconds: 5 };
/** Pages of a list; one that has more never ends. */
const maxPages = 2_000;
const maxRows = 500;
/** Maximum number of repetitions of a call that the vendor's limit refuses. */
const maxWaits = 20;

/**
 * Reads each list and record of the dataset ODD, with capped pages and a small limit: every record of the company has to come once, with
 * those that the fake adds, valid by the contract and by OCSF; and a part that is not licensed has to be named.
 */
export async function oddFaults(setup: FakeSetup, reads: readonly Read[]): Promise<string[]> {
  const { depth } = setup;
  const plain = openSmallFake(setup, { strict: false });
  const odd = openSmallFake(setup, { strict: false, dataset: 'ODD' });
  const unlicensed = [...odd.fake.odd.unlicensed];
  // Where the vendor does not say when a limit ends, nobody can wait for it.
  odd.fake.limits.override = setup.excuses.limits_without_time === undefined ? tier : unlimited;
  const isWhole = depth?.maxRecords === undefined;
  const faults: string[] = [];
  for (const read of reads.filter(({ operation }) => isChecked(setup, operation.id))) {
    if (!isWhole && (await isLeftOut(plain, read))) continue;
    odd.fake.odd.unlicensed.clear();
    const found = await recordFaults(odd, plain, read);
    for (const scope of unlicensed) odd.fake.odd.unlicensed.add(scope);
    const refused = await unlicensedFaults(odd, read);
    faults.push(...[...found, ...refused].map((fault) => `${read.operation.id}: ${fault}`));
  }
  return faults;
}

/** Whether a record is none of the few that are kept. */
async function isLeftOut(plain: OverFake, { operation, request }: Read): Promise<boolean> {
  if (Object.keys(request.path ?? {}).length === 0) return false;
  return (await plain.answerTo(operation.id, request)).status === 404;
}

/** Reads a list, and compares its records with those of the company. */
async function recordFaults(odd: OverFake, plain: OverFake, read: Read): Promise<string[]> {
  const faults = new Set<string>();
  odd.fake.log.clear();
  odd.answered = [];
  const records = await readAll(odd, read, (fault) => faults.add(fault));
  const sent = odd.answered.map(({ response }) => Buffer.from(response.body).toString());
  odd.answered = undefined;
  for (const { place, message } of odd.fake.log.violations.splice(0))
    faults.add(
      `the fake fails at ${place}: ${message}. Take null there, or name the field in "always" of "odd" of its collection`,
    );
  if (faults.size > 0) return [...faults];
  const known = await readAll(plain, read, () => undefined);
  const identities = new Set(records.map(identityOf));
  const lost = known.map(ownIdentityOf).filter((one) => one !== undefined && !identities.has(one));
  if (lost.length > 0)
    faults.add(`${lost.length} of ${known.length} records are lost, such as ${lost[0]}`);
  else if (records.length < known.length)
    faults.add(`it has ${records.length} records, those of the company are ${known.length}`);
  for (const id of isList(read.operation.id) ? lostAdditions(odd, sent, records) : [])
    faults.add(`the record ${id} that the fake adds is lost without a word`);
  return [...faults];
}

/** Lists the added records that were sent and did not arrive, of collections whose other records have arrived. */
function lostAdditions(odd: OverFake, sent: readonly string[], records: readonly Json[]): string[] {
  const all = JSON.stringify(records);
  const wasSent = (id: string) => sent.some((body) => body.includes(id));
  const routes = new Set(odd.fake.log.requests.map(({ route }) => route));
  return odd.fake.odd.listedIds(routes).flatMap(({ own, added }) => {
    const isOfRecords = own.filter(wasSent).every((id) => all.includes(id));
    return isOfRecords ? added.filter((id) => wasSent(id) && !all.includes(id)) : [];
  });
}

/** Reads all pages of a list, or a record. @param note is called with what is wrong with them */
async function readAll(
  over: OverFake,
  { operation, request }: Read,
  note: (fault: string) => void,
): Promise<Json[]> {
  const { id } = operation;
  const { maximum = maxRows } = operation.query['limit'] ?? {};
  const limit = operation.query['limit'] === undefined ? {} : { limit: Math.min(maxRows, maximum) };
  const records: Json[] = [];
  const seen = new Set<string>();
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    const query = { ...limit, ...(cursor !== '' && { cursor }) };
    const { status, body } = await callPatiently(over, id, { ...request, query });
    if (status !== operation.response.status) {
      note(`it ends with status ${status}: ${String(body['message'])}`);
      return records;
    }
    const { result, cursor: next = '', messages } = body as Page;
    faultsOfResponse(operation, status, body).forEach(note);
    ocsfFaults(id, result).forEach(note);
    for (const { message } of messages?.problems ?? []) note(message);
    for (const record of [result ?? []].flat() as Json[]) {
      const identity = ownIdentityOf(record);
      if (identity !== undefined && seen.has(identity)) note(`the record ${identity} comes twice`);
      if (identity !== undefined) seen.add(identity);
      records.push(record);
    }
    cursor = next;
    if (cursor === '') return records;
  }
  note(`it has more than ${maxPages} pages`);
  return records;
}

interface Page {
  result?: unknown;
  cursor?: string;
  messages?: { problems?: { message: string; instance: string }[] };
}

/** Calls an operation, and again after each wait that a refusal for now asks for. */
async function callPatiently(
  over: OverFake,
  id: OperationId,
  request: Read['request'],
): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    const answer = await over.answerTo(id, request);
    if (![429, 503].includes(answer.status) || waits >= maxWaits) return answer;
    over.now += Number(answer.headers?.['retry-after'] ?? 1) * 1_000;
  }
}

/** Calls an operation once where a part is not licensed. It has to say so if it needs the part: as a whole, or of what is left out. */
async function unlicensedFaults(odd: OverFake, { operation, request }: Read): Promise<string[]> {
  odd.fake.log.clear();
  const { status, body } = await callPatiently(odd, operation.id, request);
  const refused = odd.fake.log.requests.find(({ route }) => odd.fake.odd.isUnlicensed(route));
  if (refused === undefined) return [];
  const problems = (body as Page).messages?.problems ?? [];
  const isNamed = status >= 400 && status !== 500;
  if (isNamed || problems.some(({ instance }) => instance.endsWith('-left-out'))) return [];
  return [`${String(refused.route)} is not licensed, and status ${status} does not say so`];
}
