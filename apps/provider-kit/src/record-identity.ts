/** Where the records of the contract have what identifies them; OCSF classes name it by their object. */
const places = ['finding_info.uid', 'metadata.uid', 'incident_uid', 'id', 'uid'];
/** Device Inventory Info, which is about nothing but the device. */
const deviceClass = 5001;

/** Returns the contract's identity of a record; undefined where it has none. */
export function ownIdentityOf(record: unknown): string | undefined {
  const isDevice = valueAt(record, 'class_uid') === deviceClass;
  for (const place of isDevice ? ['device.uid', ...places] : places) {
    const value = valueAt(record, place);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  return undefined;
}

/** Identifies a record by the contract's identity, or by all its texts. */
export function identityOf(record: unknown): string {
  const own = ownIdentityOf(record);
  if (own !== undefined) return own;
  const texts = Object.entries(record ?? {}).filter(([, value]) => typeof value === 'string');
  if (texts.length === 0) return JSON.stringify(record);
  return texts.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** Returns the value at a place such as `device.uid`. */
export function valueAt(record: unknown, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>(
      (inside, name) => (inside as Record<string, unknown> | null | undefined)?.[name],
      record,
    );
}
