import { loadValidators, type OperationId } from '#contract';
import { ocsfFaults } from '../ocsf-faults.js';
import { identityOf } from '../record-identity.js';
import { faultsOfResponse } from '../validate-response.js';
import type { Read } from '../variation/find-reads.js';
import { type FakeSetup, isChecked, openFake, openSmallFake } from './fake-setup.js';
import { MappedRecords } from './mapped-records.js';
import type { OverFake } from './over-fake.js';
import { compareScales } from './scale-checks.js';
import { compareTimes } from './time-checks.js';

/** Pages of a list that are read, and rows of each. */
const maxPages = 4;
const maxRows = 100;

/** Faults of the records of all reads, by what they were held against. */
export interface ReadFaults {
  /** The contract, the lint of OCSF, and each other. */
  records: string[];
  /** The times that the vendor sent. */
  times: string[];
  /** The order of the vendor's severities and priorities. */
  scales: string[];
  /** Extent of the comparison, by operation. */
  compared: Map<OperationId, Compared>;
}

/** How much of an operation was compared. */
export interface Compared {
  records: number;
  /** Times that are not of the call. */
  times: number;
  /** Fields of records with the vendor's order. */
  ranked: readonly string[];
}

/** Runs reads on a new fake, and holds what the provider makes of the vendor's records against them. */
export async function checkReads(setup: FakeSetup, reads: readonly Read[]): Promise<ReadFaults> {
  await loadValidators();
  const mapped = new MappedRecords();
  const { alterProvider = (provider) => provider } = setup;
  const watching = {
    ...setup,
    alterProvider: (one: Parameters<typeof alterProvider>[0]) => mapped.watch(alterProvider(one)),
  };
  const whole = openFake(watching);
  const small = setup.depth?.maxRecords === undefined ? whole : openSmallFake(watching);
  const found: ReadFaults = { records: [], times: [], scales: [], compared: new Map() };
  for (const read of reads.filter(({ operation }) => isChecked(setup, operation.id))) {
    const { id } = read.operation;
    const prefixed = (faults: readonly string[]) => faults.map((fault) => `${id}: ${fault}`);
    // A record that is asked for may be none of the few.
    const over = Object.keys(read.request.path ?? {}).length > 0 ? whole : small;
    over.answered = [];
    found.records.push(...prefixed(await readPages(over, read)));
    const all = over.answered
      .map(({ response }) => Buffer.from(response.body).toString())
      .join('\n');
    const records = mapped.of(id);
    const times = compareTimes(records, { all, now: over.now });
    found.times.push(...prefixed(times.faults));
    const { faults, compared: ranked } = compareScales(records);
    found.scales.push(...prefixed(faults));
    found.compared.set(id, { records: records.length, ranked, times: times.compared });
  }
  return found;
}

interface Page {
  result?: unknown;
  cursor?: string;
  messages?: unknown;
}

/** Reads the first pages of a list, or a record. @returns what is wrong with them */
async function readPages(over: OverFake, { operation, request }: Read): Promise<string[]> {
  const faults = new Set<string>();
  const seen = new Set<string>();
  const id: OperationId = operation.id;
  const hasLimit = operation.query['limit'] !== undefined;
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    const query = { ...(hasLimit && { limit: maxRows }), ...(cursor !== '' && { cursor }) };
    const { status, body } = await over.answerTo(id, { ...request, query });
    const { result, cursor: next = '', messages } = body as Page;
    for (const fault of faultsOfResponse(operation, status, body)) faults.add(fault);
    if (status !== operation.response.status) faults.add(`the status is ${status}`);
    if (messages !== undefined) faults.add(JSON.stringify(messages));
    for (const record of [result ?? []].flat()) {
      const identity = identityOf(record);
      if (seen.has(identity)) faults.add(`the record ${identity} comes twice`);
      seen.add(identity);
    }
    for (const fault of ocsfFaults(id, result)) faults.add(fault);
    cursor = next;
    if (cursor === '') break;
  }
  for (const violation of over.fake.log.violations) faults.add(JSON.stringify(violation));
  return [...faults];
}
