import { isObject, type JsonObject, type Report, show } from './report.js';
import type { ClassSchema } from './schema.js';

/** Attributes that the profile security_control adds to a class. */
const securityControl = [
  'action_id',
  'disposition_id',
  'malware',
  'authorizations',
  'firewall_rule',
];

/** Checks version, product, ids and profiles of `metadata`. */
export function lintMetadata(record: JsonObject, schema: ClassSchema, report: Report): void {
  const metadata = record['metadata'];
  if (!isObject(metadata)) return; // told as missing already
  if (metadata['version'] !== schema.version)
    report.error(
      ['metadata', 'version'],
      'version',
      `the version must be "${schema.version}" for this class, not ${show(metadata['version'])}`,
    );
  lintProduct(metadata['product'], schema.version, report);
  if (metadata['uid'] === undefined)
    report.warning(
      ['metadata', 'uid'],
      'metadata-uid',
      'uid is missing: use the id that the vendor gave to the event, if there is one',
    );
  lintOriginalTime(record['time'], metadata['original_time'], report);
  lintProfiles(record, metadata, report);
}

/** A time with an offset, as vendors write it. Other texts, and those without an offset, may mean any instant. */
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** The original time is the text of the vendor for `time`, to the second. */
function lintOriginalTime(time: unknown, original: unknown, report: Report): void {
  if (typeof time !== 'number' || typeof original !== 'string' || !instantPattern.test(original))
    return;
  const instant = Date.parse(original.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (!Number.isNaN(instant) && Math.abs(instant - time) >= 1_000)
    report.warning(
      ['metadata', 'original_time'],
      'original-time',
      `${show(original)} is another instant than time`,
    );
}

function lintProduct(product: unknown, version: string, report: Report): void {
  const path = ['metadata', 'product'];
  if (!isObject(product)) return;
  if (product['vendor_name'] === undefined) {
    const message = 'vendor_name is missing: it names the vendor of the reporting product';
    if (version < '1.4.0') report.error([...path, 'vendor_name'], 'product', message);
    else report.warning([...path, 'vendor_name'], 'product', message);
  }
  for (const name of ['name', 'vendor_name'])
    if (product[name] === 'Onefold')
      report.error([...path, name], 'product', 'the product is the one that reported, not Onefold');
}

function lintProfiles(record: JsonObject, metadata: JsonObject, report: Report): void {
  const { profiles } = metadata;
  const named = new Set(Array.isArray(profiles) ? (profiles as unknown[]) : []);
  const path = ['metadata', 'profiles'];
  if (!named.has('datetime') && hasDateTime(record))
    report.warning(
      path,
      'profiles',
      'the profile datetime is not named, but there are _dt attributes',
    );
  const used = securityControl.find((name) => record[name] !== undefined);
  if (used !== undefined && !named.has('security_control'))
    report.warning(
      path,
      'profiles',
      `the profile security_control is not named, but ${used} is of it`,
    );
}

function hasDateTime(value: unknown, depth = 0): boolean {
  if (depth > 20 || typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) =>
      name !== 'unmapped' &&
      ((!Array.isArray(value) && name.endsWith('_dt')) || hasDateTime(inner, depth + 1)),
  );
}
