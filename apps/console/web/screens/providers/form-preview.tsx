import { useState } from 'preact/hooks';
import type { Field } from '../../forms/fields.js';
import { faultsIn, type Values } from '../../forms/values.js';
import { ConfigurationFields } from '../../parts/configuration-fields.js';
import { SchemaForm } from '../../parts/schema-form.js';
import type { Provider } from '../../parts/provider.js';

const noFaults: ReadonlyMap<string, string> = new Map();

/** The form by which somebody connects the system, to try; nothing that is typed here is sent or kept. */
export function FormPreview({ provider }: { provider: Provider }) {
  return (
    <section class="card" aria-labelledby="form-preview">
      <h2 id="form-preview">What somebody who connects it is asked for</h2>
      <ConfigurationFields schema={provider.provider_config}>
        {(fields) => <Tried key={provider.id} fields={fields} />}
      </ConfigurationFields>
    </section>
  );
}

function Tried({ fields }: { fields: readonly Field[] }) {
  const [values, setValues] = useState<Values>({});
  const [faults, setFaults] = useState(noFaults);
  if (!fields.some(({ kind }) => kind !== 'fixed')) return <p>Nothing: it has no settings.</p>;
  return (
    <form
      class="narrow"
      noValidate
      aria-labelledby="form-preview"
      onSubmit={(event) => {
        event.preventDefault();
        setFaults(faultsIn(fields, values));
      }}
    >
      <SchemaForm
        fields={fields}
        values={values}
        faults={faults}
        onChange={(pointer, value) => {
          setFaults(noFaults);
          setValues((one) => ({ ...one, [pointer]: value }));
        }}
      />
      <p class="hint">A preview: what you type here is neither sent nor kept.</p>
      <div class="buttons start">
        <button>Show what is still needed</button>
      </div>
    </form>
  );
}
