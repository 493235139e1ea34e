import { readFileSync } from 'node:fs';
import type { ProviderRecord } from '#connect';

/** What a new integration on the mock finds: projects, people, a dozen tickets and what was said about them. */
export const dataset = JSON.parse(
  readFileSync(new URL('./dataset.json', import.meta.url), 'utf8'),
) as Record<string, ProviderRecord[]>;
