import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { call } from '../../api/client.js';
import { operationOf } from '../../api/operations.js';
import { cache, useRead } from '../../api/query.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { type Integration, IntegrationChoice } from '../../parts/integration-choice.js';

const byDefault = { value: 'default', label: 'The default sink of the organization' };
const ofSinks = 'category[in]sink,siem';

/** Starts a job that reads a list once. */
export function StartJob({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState<Integration>();
  const [operation, setOperation] = useState('');
  const [sink, setSink] = useState('');
  const [filter, setFilter] = useState('');
  const [key] = useState(() => crypto.randomUUID());
  const [fault, setFault] = useState('');
  const { run, isBusy, error } = useAttempt();
  const start = () => {
    setFault(missingIn(source, operation, sink));
    if (source === undefined || operation === '' || sink === '') return;
    void run(async (signal) => {
      const input = {
        ...(filter.trim() === '' ? {} : { filters: [filter.trim()] }),
        ...(sink === byDefault.value ? {} : { sink_integration_id: sink }),
      };
      const body = { integration_id: source.id, operation, input };
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
      <IntegrationChoice
        label="Integration"
        chosen={source?.id ?? ''}
        onChoose={(_, integration) => {
          setSource(integration);
          setOperation('');
          setSink(''); // it belongs to a customer
        }}
      />
      {source && (
        <ChooseOperation
          key={source.id}
          providerId={source.provider_type}
          value={operation}
          onChange={setOperation}
        />
      )}
      <IntegrationChoice
        label="Sink"
        chosen={sink}
        filter={source ? [ofSinks, `account_id[eq]${source.account_id}`] : [ofSinks]}
        first={[byDefault]}
        onChoose={setSink}
      />
      <Field
        label="Filter (optional)"
        value={filter}
        onInput={setFilter}
        hint="As in a list, such as status[eq]open."
      />
      {sink === byDefault.value && (
        <p class="hint">
          Your organization makes it once, by the API. Without one, the job is refused: then{' '}
          {source ? (
            <Link to={`/integrations/new?account=${source.account_id}&domain=sink`}>
              connect a sink of this customer
            </Link>
          ) : (
            'choose a sink of the customer'
          )}
          .
        </p>
      )}
      {fault !== '' && (
        <p class="wrong" role="alert">
          {fault}
        </p>
      )}
    </FormDialog>
  );
}

function missingIn(source: Integration | undefined, operation: string, sink: string): string {
  if (source === undefined || operation === '') return 'Choose an integration and an operation.';
  return sink === '' ? 'Choose where the records go.' : '';
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
