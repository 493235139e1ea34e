/** Every text and number of a record, at any depth. @param except names of fields whose values the record of ours has in another form */
export function valuesIn(record, except = []) {
  if (record === null || record === undefined || record === '') return [];
  if (record instanceof Date) return [record.toISOString()];
  if (typeof record === 'object')
    return Object.entries(record).flatMap(([name, value]) =>
      except.includes(name) ? [] : valuesIn(value, except),
    );
  return typeof record === 'string' || typeof record === 'number' ? [String(record)] : [];
}
