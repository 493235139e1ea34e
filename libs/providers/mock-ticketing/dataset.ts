import { readFileSync } from 'node:fs';
import type { ProviderRecord } from '#connect';

/** Initial records of a new integration on the mock: projects, people, a dozen tickets and their conversations. */
export const dataset = JSON.parse(
  readFileSync(new URL('./dataset.json', import.meta.url), 'utf8'),
) as Record<string, ProviderRecord[]>;
