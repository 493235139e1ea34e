import type { Value } from '@onefold/mapping';
import { compiledOf } from '../compiled-folder.js';
import { readFakeOf } from '../fake.js';
import type { ProviderFolder } from '../folders.js';
import { reasonOf, type TracedField, traceFields } from './trace-fields.js';
import { type ModelRecord, readModel } from './vendor-model.js';

/** Where the fields of a kind of records are in ours. */
export interface RecordReport {
  record: ModelRecord;
  /** Fields that have a place in our record. */
  mapped: TracedField[];
  /** The others that are kept in `unmapped`. */
  unmapped: string[];
  /** Fields that are nowhere, each with the reason; undefined for one without. */
  dropped: { path: string; reason: string | undefined }[];
  /** Patterns of reasons that no field needs. */
  unneeded: string[];
}

/** Where the fields of all records of a vendor are in ours. */
export interface ModelReport {
  records: RecordReport[];
  without: Record<string, string>;
  /** Mappings of records that the model does not have, without a reason. */
  missing: string[];
}

/** Finds where each field of a vendor's model is. @throws MappingRunError for a record that its mapping cannot map */
export function reportModel(folder: ProviderFolder): ModelReport {
  const { compiled } = compiledOf(folder);
  const config = { ...readFakeOf(folder).mock.configuration } as Record<string, Value>;
  const { records, without } = readModel(folder);
  const mappings = compiled.flatMap(({ operations }) =>
    [...operations.values()].flatMap(({ source }) => source.response ?? []),
  );
  const known = new Set([...records.map(({ mapping }) => mapping), ...Object.keys(without)]);
  const reports = records.map((record) => {
    const [provider = compiled[0]] = compiled.filter(({ mappings }) =>
      mappings.has(record.mapping),
    );
    if (provider === undefined) throw new Error(`${folder.name} has no document`);
    const fields = traceFields(provider, record, config);
    const lost = fields.filter(({ mapped, isUnmapped }) => mapped.length === 0 && !isUnmapped);
    const reasons = Object.keys(record.dropped);
    return {
      record,
      mapped: fields.filter(({ mapped }) => mapped.length > 0),
      unmapped: fields.flatMap(({ path, mapped, isUnmapped }) =>
        mapped.length === 0 && isUnmapped ? [path] : [],
      ),
      dropped: lost.map(({ path }) => ({ path, reason: reasonOf(record, path) })),
      unneeded: reasons.filter(
        (pattern) => !lost.some(({ path }) => new RegExp(pattern).test(path)),
      ),
    };
  });
  const missing = [...new Set(mappings)].filter((mapping) => !known.has(mapping)).sort();
  return { records: reports, without, missing };
}
