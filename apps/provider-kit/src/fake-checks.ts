import { compiledOf } from './engine.js';
import { domainOperations, type ProviderFolder } from './folders.js';
import type { Check } from './named-check.js';
import { ocsfFaults } from './ocsf-faults.js';
import { identityOf } from './record-identity.js';
import { faultsOfResponse } from './validate-response.js';
import { FakeRun } from './variation/fake-run.js';
import { findReads, type Read } from './variation/find-reads.js';
import { varyRead } from './variation/vary.js';

/** Pages of a list that are read, and rows of each. */
const maxPages = 4;
const maxRows = 100;

/**
 * Checks every reading operation over the fake of a folder, as strictly as the kit does: responses by the contract, records by the lint of
 * OCSF, each record once; and that no single value of an answer costs more than itself.
 * @param maxPlaces values of each answer that are varied
 */
export function fakeChecks(folder: ProviderFolder, maxPlaces?: number): Check[] {
  if (!folder.has('fake.yaml')) return [];
  return compiledOf(folder).compiled.flatMap(({ source: { provider: type }, operations }) => {
    const own = domainOperations(type).filter(({ id }) => operations.has(id));
    let reads: Promise<Read[]> | undefined;
    const fake = (strict: boolean) => new FakeRun(folder, type, strict);
    const find = () => (reads ??= findReads(own, fake(false)).then((found) => found.reads));
    return [
      {
        name: `${type} reads its fake: each record once, valid by the contract and by OCSF`,
        run: async () => await readFaults(fake(true), await find()),
      },
      {
        name: `${type} loses no record and no page to a single value that the vendor leaves out or sends in another form`,
        run: async () => {
          const varied = fake(false);
          const faults: string[] = [];
          for (const read of await find())
            faults.push(...(await varyRead(varied, read, maxPlaces)).faults);
          return faults;
        },
      },
    ];
  });
}

/** Lists the reading operations to which the kit finds no answer of the fake: they are not checked over it. */
export async function readsWithout(folder: ProviderFolder): Promise<string[]> {
  if (!folder.has('fake.yaml')) return [];
  const ids: string[] = [];
  for (const { source, operations } of compiledOf(folder).compiled) {
    const own = domainOperations(source.provider).filter(({ id }) => operations.has(id));
    const { without } = await findReads(own, new FakeRun(folder, source.provider, false));
    ids.push(...without.map(({ id }) => id));
  }
  return ids;
}

async function readFaults(fake: FakeRun, reads: readonly Read[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { operation, request } of reads) {
    const seen = new Set<string>();
    const hasLimit = operation.query['limit'] !== undefined;
    let cursor = '';
    for (let page = 0; page < maxPages; page += 1) {
      const query = { ...(hasLimit && { limit: maxRows }), ...(cursor !== '' && { cursor }) };
      const { answer } = await fake.run(operation, { ...request, query });
      const { status, body } = answer;
      const told = (fault: string) => faults.push(`${operation.id}: ${fault}`);
      const { result, cursor: next = '', messages } = (body ?? {}) as Page;
      faultsOfResponse(operation, status, body).forEach(told);
      if (status !== operation.response.status) told(`the status is ${status}`);
      if (messages !== undefined) told(JSON.stringify(messages));
      const records = [result ?? []].flat();
      for (const record of records) {
        const identity = identityOf(record);
        if (seen.has(identity)) told(`the record ${identity} comes twice`);
        seen.add(identity);
      }
      ocsfFaults(operation.id, result).forEach(told);
      cursor = next;
      if (cursor === '') break;
    }
  }
  return [...new Set(faults)];
}

interface Page {
  result?: unknown;
  cursor?: string;
  messages?: unknown;
}
