import { readFileSync } from 'node:fs';
import { compileDocument, type Value } from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import type { Json } from '#apps/provider-kit';

/** Runs a mapping document of a vendor on one record, for tests of what vendors send and fakes do not. */
export function runMapping(
  folder: URL,
  mapping: string,
  record: object,
  metadata: Record<string, Value> = {},
): Json {
  const text = readFileSync(new URL(`mappings/${mapping}.yaml`, folder), 'utf8');
  const compiled = compileDocument(text, { shared: sharedTemplate });
  return compiled.run(record, { metadata })?.record as Json;
}
