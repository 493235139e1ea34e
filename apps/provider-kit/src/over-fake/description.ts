import { existsSync } from 'node:fs';
import { type ProviderFolder, root } from '../folders.js';
import type { VendorDescription } from './described-fake.js';

/** The vendor's description, if there is one on this machine: its licence may not let us ship it. */
export interface AtHand {
  description: VendorDescription;
  /** Matches faults of places that are missing in it. */
  undescribed?: RegExp;
}

const built = new URL('dist/libs/providers/', root);

/** Finds the description that `description.fixture.ts` of a vendor's folder reads. */
export async function findDescription(folder: ProviderFolder): Promise<AtHand | undefined> {
  const file = new URL(`${folder.name}/description.fixture.js`, built);
  if (!folder.isBuiltIn || !existsSync(file)) return undefined;
  const { description, undescribed } = (await import(file.href)) as Partial<AtHand>;
  if (description === undefined) return undefined;
  return { description, ...(undescribed && { undescribed }) };
}
