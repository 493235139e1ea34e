import { useMemo } from 'preact/hooks';
import type { OperationId } from '#contract';
import { operationOf } from '../../api/operations.js';
import { useApiDocument } from '../../api/api-documents.js';
import { recordOf } from '../../parts/mappings/record-fields.js';
import type { Subject } from './subject.js';

/**
 * The operations of the provider that read the same kind of record as the chosen one, which is among them. A list and a record by its id
 * have to agree, so a mapping is for all of them unless somebody says otherwise; the chain of a write is for what is sent. Undefined
 * until they are known.
 * @param isWanted whether to read the document of the API for it, which is large
 */
export function useKin(
  { operation, operations }: Subject,
  isWanted: boolean,
): readonly OperationId[] | undefined {
  const { read, api } = useApiDocument('meta_engine_openapi_spec', isWanted);
  return useMemo(() => {
    if (api === undefined && !read.isError) return undefined;
    const kindOf = (id: OperationId) => {
      const response = api?.operations.get(id)?.response;
      return api && response && recordOf(response, api.resolve)?.properties;
    };
    const isRead = (id: OperationId) => operationOf(id).method === 'GET';
    const kind = isRead(operation) ? kindOf(operation) : undefined;
    const isKin = (id: OperationId) =>
      id === operation || (kind !== undefined && isRead(id) && kindOf(id) === kind);
    return operations.filter(isKin);
  }, [api, read.isError, operation, operations.join()]);
}

interface Props {
  subject: Subject;
  /** Undefined until they are known. */
  kin: readonly OperationId[] | undefined;
  chosen: ReadonlySet<OperationId>;
  onChange: (chosen: ReadonlySet<OperationId>) => void;
}

/** Says for which operations a mapping is saved, and lets somebody choose others. */
export function ForOperations({ subject, kin, chosen, onChange }: Props) {
  const left = (kin ?? []).filter((id) => !chosen.has(id));
  return (
    <details open={left.length > 0}>
      <summary>{summaryOf(subject.operation, kin, chosen)}</summary>
      {left.length > 0 && (
        <p class="hint" role="status">
          These read the same kind of record, and would go on without the mapping: {left.join(', ')}
          .
        </p>
      )}
      {subject.operations.map((one) => (
        <label class="check" key={one}>
          <input
            type="checkbox"
            checked={chosen.has(one)}
            disabled={one === subject.operation}
            onChange={({ currentTarget: { checked } }) =>
              onChange(new Set(checked ? [...chosen, one] : [...chosen].filter((id) => id !== one)))
            }
          />
          {one}
        </label>
      ))}
    </details>
  );
}

function summaryOf(
  operation: OperationId,
  kin: readonly OperationId[] | undefined,
  chosen: ReadonlySet<OperationId>,
): string {
  if (kin === undefined) return 'For all operations that read this kind of record';
  if (chosen.size === 1) return `For ${operation} only`;
  const isKin = chosen.size === kin.length && kin.every((id) => chosen.has(id));
  return isKin
    ? `For all ${kin.length} operations that read this kind of record`
    : `For ${chosen.size} operations`;
}
