import { type OperationId, recordOutline } from '#contract';
import { lintRecord } from '#ocsf';

/** Operations whose records the contract leaves free, and which are of the classes that others of their domain have. */
const freeRecords: ReadonlySet<OperationId> = new Set([
  'assets_query_alerts',
  'assets_query_vulnerabilities',
  'assets_query_device_software',
  'chat_query_messages',
  'siem_query_alerts',
  'siem_query_events',
]);

/** Whether the records of an operation are OCSF. The contract decides, not the record: a record that lost its class is a fault. */
export function returnsOcsf(id: OperationId): boolean {
  return freeRecords.has(id) || recordOutline(id)?.required.includes('class_uid') === true;
}

/**
 * Holds the records of a successful response against the lint of OCSF.
 * @param schema the class that they must be of; by default the one that each record names
 * @returns one text for each fault
 */
export function ocsfFaults(id: OperationId, result: unknown, schema?: string): string[] {
  const isOcsf = schema !== undefined || returnsOcsf(id);
  return [result]
    .flat()
    .filter((record) => (isOcsf ? record !== undefined && record !== null : namesClass(record)))
    .flatMap((record) => {
      const { errors, warnings } = lintRecord(
        record,
        schema === undefined ? {} : { class: schema },
      );
      return [...errors, ...warnings].map(({ pointer, message }) => `${pointer} ${message}`);
    });
}

/** Records of other operations may be OCSF too. */
function namesClass(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'class_uid' in record;
}
