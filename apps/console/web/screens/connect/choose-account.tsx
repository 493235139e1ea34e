import { useState } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { accountsOfEnvironment, Environment } from '../../parts/environment.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { nameContains } from '../../parts/account-names.js';
import { CreateAccount } from '../../parts/create-account.js';

const maxShown = 8;

/** The first step: whose system it is. */
export function ChooseAccount({ onChoose }: { onChoose: (id: string) => void }) {
  const [name, setName] = useState('');
  const [isCreating, setCreating] = useState(false);
  const filter = [nameContains(name) ?? [], accountsOfEnvironment()].flat();
  const query = { limit: maxShown, filter };
  const accounts = useRead('accounts_list', { query });
  return (
    <section class="card narrow" aria-labelledby="whose">
      <h2 id="whose">Whose system is it?</h2>
      <div class="toolbar">
        <Field label="Name contains" type="search" value={name} onInput={setName} />
        <Action operation="accounts_create" onClick={() => setCreating(true)}>
          New account
        </Action>
      </div>
      {isCreating && (
        <CreateAccount onClose={() => setCreating(false)} onCreated={({ id }) => onChoose(id)} />
      )}
      <Loaded of={accounts} lines={4}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">
              {name === ''
                ? 'There are no accounts yet. Create one for the customer.'
                : `No account has a name that contains “${name}”.`}
            </p>
          ) : (
            <>
              <ul class="choices">
                {result.map((one) => (
                  <li key={one.id}>
                    <button type="button" onClick={() => onChoose(one.id)}>
                      <strong dir="auto">{one.fullname}</strong>
                      <Environment name={one.environment} />
                    </button>
                  </li>
                ))}
              </ul>
              {result.length === maxShown && (
                <p class="hint">The first {maxShown}. Type a part of the name to find others.</p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
