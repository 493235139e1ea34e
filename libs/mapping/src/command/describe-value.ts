import { Deleted, formatJson, type Value } from '../index.js';

/** A value for somebody who reads: JSON, or the mark of what is dropped. */
export function describeValue(value: Value): string {
  return value === Deleted ? 'deleted()' : formatJson(value, { indent: '  ' });
}
