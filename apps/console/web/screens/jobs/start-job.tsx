import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { call } from '../../api/client.js';
import { operationOf } from '../../api/operations.js';
import { cache, useRead } from '../../api/query.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';

const maxIntegrations = 200;
const sinks = new Set(['sink', 'siem']);

/** Starts a job that reads a list once. */
export function StartJob({ onClose }: { onClose: () => void }) {
  const integrations = useRead('integrations_list', { query: { limit: maxIntegrations } });
  const [chosen, setChosen] = useState('');
  const [operation, setOperation] = useState('');
  const [sink, setSink] = useState('');
  const [filter, setFilter] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const [fault, setFault] = useState('');
  const { run, isBusy, error } = useAttempt();
  const start = () => {
    if (chosen === '' || operation === '') {
      setFault('Choose an integration and an operation.');
      return;
    }
    void run(async (signal) => {
      const input = {
        ...(filter.trim() === '' ? {} : { filters: [filter.trim()] }),
        ...(sink === '' ? {} : { sink_integration_id: sink }),
      };
      const body = { integration_id: chosen, operation, input };
      await call('operations_create_job', { body, idempotencyKey: key }, signal);
      for (const id of ['operations_list', 'operations_list_execution_history'])
        void cache.invalidateQueries({ queryKey: [id] });
      announce('The job waits for its turn');
      onClose();
    });
  };
  return (
    <FormDialog
      title="Run a job"
      operation="operations_create_job"
      action="Run it"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={start}
    >
      <Loaded of={integrations} lines={3}>
        {({ result }) => (
          <>
            <label>
              Integration
              <select
                value={chosen}
                onChange={(event) => {
                  setChosen(event.currentTarget.value);
                  setOperation('');
                }}
              >
                <option value="">Choose …</option>
                {result.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.fullname}
                  </option>
                ))}
              </select>
            </label>
            {chosen !== '' && (
              <ChooseOperation
                key={chosen}
                providerId={result.find(({ id }) => id === chosen)?.provider_type ?? ''}
                value={operation}
                onChange={setOperation}
              />
            )}
            <label>
              Sink
              <select value={sink} onChange={(event) => setSink(event.currentTarget.value)}>
                <option value="">The default sink of the organization</option>
                {result
                  .filter(({ category }) => sinks.has(category))
                  .map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.fullname}
                    </option>
                  ))}
              </select>
            </label>
          </>
        )}
      </Loaded>
      <Field
        label="Filter (optional)"
        value={filter}
        onInput={setFilter}
        hint="As in a list, such as status[eq]open."
      />
      {fault !== '' && chosen === '' && <p class="wrong">{fault}</p>}
    </FormDialog>
  );
}

interface ChooseOperationProps {
  providerId: string;
  value: string;
  onChange: (operation: string) => void;
}

function ChooseOperation({ providerId, value, onChange }: ChooseOperationProps) {
  const path = { providerId };
  const read = useRead('capabilities_get_provider', { path, query: { expand: 'operations' } });
  const isList = (id: string) => {
    const { method, path: address } = operationOf(id as OperationId);
    return method === 'GET' && !address.includes('{');
  };
  return (
    <Loaded of={read} lines={1}>
      {({ result }) => (
        <label>
          Operation
          <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="">Choose …</option>
            {(result.operations ?? [])
              .filter(({ id, supported }) => supported && isList(id))
              .map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
          </select>
        </label>
      )}
    </Loaded>
  );
}
