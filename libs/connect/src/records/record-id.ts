/** Where records of providers have what identifies them, the most common first. */
const idFields = ['id', 'uid', 'uuid', 'key', 'number', '_id', 'login', 'name'];

/** Returns what identifies a record or an item, as text; undefined if it has nothing of the kind. */
export function recordIdOf(record: unknown): string | undefined {
  if (isScalar(record)) return String(record);
  if (typeof record !== 'object' || record === null) return undefined;
  const fields = record as Record<string, unknown>;
  const found = idFields.map((name) => fields[name]).find(isScalar);
  return found === undefined ? undefined : String(found);
}

function isScalar(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value) && value !== '';
}
