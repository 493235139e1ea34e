import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findReadsOf, setupsOf } from './fake-checks.js';
import type { ProviderFolder } from './folders.js';
import { openFake } from './over-fake/fake-setup.js';
import { varyRead } from './variation/vary.js';

/** Outcome of the variation of a provider's answers: each value of each answer of its fake, changed in every way. */
export interface VariationFigures {
  /** Operations that were read. */
  operations: number;
  variants: number;
  /** Variants that cost a record or a page which cannot be had without the value, and were told by name. */
  refused: number;
  /** Variants that cost more than that, break the contract, or come out in another field. */
  faults: number;
}

/**
 * Varies every value of every answer of the fake.
 * @param said takes the faults
 * @returns figures by the id of the provider; none without a fake
 */
export async function measureVariation(
  folder: ProviderFolder,
  said: (line: string) => void,
): Promise<Record<string, VariationFigures>> {
  const figures: Record<string, VariationFigures> = {};
  for (const setup of setupsOf(folder)) {
    const { reads } = await findReadsOf(setup);
    if (reads.length === 0) continue;
    const sum = { operations: reads.length, variants: 0, refused: 0, faults: 0 };
    const fake = openFake(setup, { strict: false });
    for (const read of reads) {
      const { variants, refused, faults } = await varyRead(fake, read);
      sum.variants += variants;
      sum.refused += refused;
      sum.faults += faults.length;
      faults.forEach(said);
    }
    figures[setup.type] = sum;
  }
  return figures;
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

/** A document without comments, and without what only people read. */
function withoutWords(text: string): string {
  return JSON.stringify(parse(text), (key, value: unknown) =>
    ['proof', 'setup', 'about', 'description', 'availability', 'owner'].includes(key)
      ? undefined
      : value,
  );
}
