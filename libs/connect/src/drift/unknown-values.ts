import { enumeratedFields, type OperationId } from '#contract';
import type { ProviderRecord } from '../provider-record.js';

/** Enumerations of OCSF that say what the vendor says, where 0 is Unknown and 99 a value that OCSF has no number for. */
const ocsfFields = [
  'severity_id',
  'status_id',
  'priority_id',
  'risk_level_id',
  'confidence_id',
  'impact_id',
  'verdict_id',
  'state_id',
  'action_id',
  'disposition_id',
];

/**
 * Returns the enumerated fields of a mapped record whose value is unknown: those of OCSF by their numbers, others by a value that the
 * mapping has moved to `unmapped` under the field's own name.
 */
export function findUnknown(operation: OperationId, record: ProviderRecord): string[] {
  if (typeof record['class_uid'] === 'number')
    return ocsfFields.filter((name) => record[name] === 0 || record[name] === 99);
  const unmapped = record['unmapped'] as ProviderRecord | null | undefined;
  if (unmapped === undefined || unmapped === null) return [];
  return enumeratedFields(operation).filter(
    (name) => isEmpty(record[name]) && !isEmpty(unmapped[name]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null;
}
