import type { Provider } from '#connect';
import type { OperationId } from '#contract';
import { formatJson } from '@onefold/mapping';

/** A record of the vendor, and what the mapping of the provider made of it. */
export interface MappedRecord {
  source: unknown;
  record: unknown;
}

/** Collects the records of each operation before and after the provider's mapping. */
export class MappedRecords {
  private readonly byOperation = new Map<OperationId, MappedRecord[]>();

  /** Returns a provider that collects what it maps. */
  readonly watch = (provider: Provider): Provider => {
    const operations = Object.entries(provider.operations).map(([id, operation]) => {
      const { response } = operation;
      if (response === undefined) return [id, operation];
      const watched: typeof response = (source, context) => {
        const record = response(source, context);
        this.add(id as OperationId, { source: plain(source), record: plain(record) });
        return record;
      };
      return [id, { ...operation, response: watched }];
    });
    return { ...provider, operations: Object.fromEntries(operations) as Provider['operations'] };
  };

  of(id: OperationId): MappedRecord[] {
    return this.byOperation.get(id) ?? [];
  }

  private add(id: OperationId, mapped: MappedRecord): void {
    const known = this.byOperation.get(id);
    if (known === undefined) this.byOperation.set(id, [mapped]);
    else known.push(mapped);
  }
}

/** A value as JSON has it. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(formatJson(value)) as unknown);
}
