import { Deleted, formatJson, Nothing, type Value } from '../index.js';

/** A value for somebody who reads: JSON, or the name of a mark. */
export function describeValue(value: Value): string {
  if (value === Deleted) return 'deleted()';
  if (value === Nothing) return 'nothing()';
  return formatJson(value, { indent: '  ' });
}
