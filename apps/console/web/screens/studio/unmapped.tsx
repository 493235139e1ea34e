import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { Loaded } from '../../parts/loaded.js';
import { useApiDocument } from '../../api/api-documents.js';
import { declaredFields, recordOf } from '../../parts/mappings/record-fields.js';

interface Props {
  operation: OperationId;
  result: unknown;
}

/** Fields of the contract that the result does not have. The document of the API is large, so it is read once somebody asks. */
export function Unmapped({ operation, result }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { read, api } = useApiDocument('meta_engine_openapi_spec', isOpen);
  const response = api?.operations.get(operation)?.response;
  const record = api && response && recordOf(response, api.resolve);
  const set = new Set(Object.keys(result ?? {}));
  const missing =
    api && record
      ? declaredFields(record, [], api.resolve)
          .map(({ name }) => name)
          .filter((name) => !set.has(name))
      : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Fields that no mapping has set</summary>
      {isOpen && (
        <Loaded of={read} lines={2}>
          {() => (
            <p class="hint">
              {missing.length === 0
                ? 'None: the result has every field of the contract.'
                : missing.join(', ')}
            </p>
          )}
        </Loaded>
      )}
    </details>
  );
}
