import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findReadsOf, setupsOf } from './fake-checks.js';
import { fixturesOf } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { excusesOf } from './over-fake/excuses.js';
import { openFake } from './over-fake/fake-setup.js';
import { isRecordedRead, providerOf, varyFixture } from './variation/vary-fixtures.js';
import { type Varied, varyRead } from './variation/vary.js';

/** Outcome of the variation of answers: each value of each answer, changed in every way. */
export interface VariationFigures {
  variants: number;
  /** Variants that cost a record or a page which cannot be had without the value, and were told by name. */
  refused: number;
  /** Variants that cost more than that, break the contract, or come out in another field. */
  faults: number;
}

/**
 * Varies every value of every answer of the fake, and of every answer that was recorded.
 * @param said takes the faults
 * @returns figures by the id of the provider; none without a fake and without recordings
 */
export async function measureVariation(
  folder: ProviderFolder,
  said: (line: string) => void,
): Promise<Record<string, VariationFigures>> {
  const required = excusesOf(folder).required_values;
  const varied = new Map<string, Varied[]>();
  const add = (type: string, one: Varied) => varied.set(type, [...(varied.get(type) ?? []), one]);
  for (const setup of setupsOf(folder)) {
    const { reads } = await findReadsOf(setup);
    const fake = openFake(setup, { strict: false });
    for (const read of reads) add(setup.type, await varyRead(fake, read, { required }));
  }
  for (const fixture of fixturesOf(folder).filter(isRecordedRead))
    add(providerOf(folder, fixture), await varyFixture(folder, fixture, { required }));
  return Object.fromEntries([...varied].map(([type, all]) => [type, sumVaried(all, said)]));
}

/** Sums up the outcomes of several operations. @param said takes the faults */
export function sumVaried(
  varied: readonly Varied[],
  said: (line: string) => void,
): VariationFigures {
  const sum = { variants: 0, refused: 0, faults: 0 };
  for (const { variants, refused, faults } of varied) {
    sum.variants += variants;
    sum.refused += refused;
    sum.faults += faults.length;
    faults.forEach(said);
  }
  return sum;
}

/** Hash of the files that the figures of a folder follow from: documents, mappings, functions and the fake. */
export function hashInputs(folder: ProviderFolder): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) =>
      /^(?:provider|fake)\.yaml$|^(?:mappings|operations|fake)\/.*\.yaml$|^client\.ts$/.test(name),
    )
    .sort();
  for (const name of names) {
    const text = readFileSync(join(folder.path, name), 'utf8');
    hash.update(`${name}\n${name.endsWith('.yaml') ? withoutWords(text) : text}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** A document without comments, without what only people read, and without the dataset ODD, which is not varied. */
function withoutWords(text: string): string {
  return JSON.stringify(parse(text), (key, value: unknown) =>
    ['proof', 'setup', 'about', 'description', 'availability', 'owner', 'odd'].includes(key)
      ? undefined
      : value,
  );
}
