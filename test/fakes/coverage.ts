import type { OperationId } from '#contract';

/** The fields of an operation's records that have a value. */
export interface Filled {
  /** The number of records. */
  readonly records: number;
  /**
   * How many records fill each field, by paths such as `device.os.name`; items of a list share the path of the list. What is in `unmapped`
   * has its type behind it, because the contract does not check it.
   */
  readonly fields: ReadonlyMap<string, number>;
}

/** Collects the fields that the records of each operation fill. */
export class Coverage {
  private readonly operations = new Map<
    OperationId,
    { records: number; fields: Map<string, number> }
  >();

  /** @param result a record, or a list of them */
  add(id: OperationId, result: unknown): void {
    const known = this.operations.get(id) ?? { records: 0, fields: new Map<string, number>() };
    this.operations.set(id, known);
    for (const record of [result].flat().filter(isObject)) {
      known.records += 1;
      const filled = new Set<string>();
      for (const [name, value] of Object.entries(record)) addFilled(value, name, filled);
      for (const path of filled) known.fields.set(path, (known.fields.get(path) ?? 0) + 1);
    }
  }

  find(id: OperationId): Filled | undefined {
    return this.operations.get(id);
  }
}

/** Adds the paths of the values that say something: neither nothing, nor Unknown or Other. */
function addFilled(value: unknown, path: string, filled: Set<string>): void {
  if (value === null || value === undefined || value === '') return;
  if (Array.isArray(value)) {
    for (const one of value) addFilled(one, path, filled);
  } else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) addFilled(one, `${path}.${name}`, filled);
  } else if (path.startsWith('unmapped.')) filled.add(`${path} as ${typeof value}`);
  else if (!isUnknown(path, value)) filled.add(path);
}

/** Ids of OCSF's enumerations are 0 for Unknown and 99 for Other. */
function isUnknown(path: string, value: unknown): boolean {
  return path.endsWith('_id') && (value === 0 || value === 99);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
