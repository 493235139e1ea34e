import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Conflict, isConflict, unlessChanged } from '../../parts/conflict.js';
import { Field } from '../../parts/field.js';
import { ProblemBox } from '../../parts/problem.js';
import { splitList } from '../../parts/split-list.js';

type Account = ManagementSchemas['Account'];

/** Name and labels of an account. What somebody else has saved meanwhile is not overwritten. */
export function AccountForm({ account }: { account: Account }) {
  const [base] = useState(account);
  const [fullname, setFullname] = useState(base.fullname);
  const before = (base.labels ?? []).join(', ');
  const [labels, setLabels] = useState(before);
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const path = { accountId: base.id };
  const readAgain = async () => {
    for (const id of ['accounts_get', 'accounts_list'])
      await cache.invalidateQueries({ queryKey: [id] });
  };
  const save = () => {
    setTried(true);
    if (fullname.trim() === '') return;
    void run(async (signal) => {
      const body = unlessChanged(base.updated_at, {
        ...(fullname.trim() === base.fullname ? {} : { fullname: fullname.trim() }),
        ...(labels === before ? {} : { labels: splitList(labels) }),
      });
      await call('accounts_patch', { path, body }, signal);
      announce('Saved');
      await readAgain();
    });
  };
  const faults = faultsOf(error);
  const isOfLabels = (place: string) => /^\/labels(?:\/|$)/.test(place);
  const ofLabels = [...faults].find(([place]) => isOfLabels(place))?.[1];
  const rest = errorBeside(error, (place) => place === '/fullname' || isOfLabels(place));
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">Account</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label="Full name"
          isRequired
          value={fullname}
          fault={isTried && fullname.trim() === '' ? 'This is needed.' : faults.get('/fullname')}
          onInput={setFullname}
        />
        <Field
          label="Labels"
          value={labels}
          hint="Separated by commas, such as emea, gold. Roles and tokens can be limited to a label."
          fault={ofLabels}
          onInput={setLabels}
        />
        {isConflict(error) && <Conflict what="this account" onTheirs={() => void readAgain()} />}
        {rest && !isConflict(rest) && <ProblemBox error={rest} />}
        <Action operation="accounts_patch" kind="primary" type="submit" isBusy={isBusy}>
          Save account
        </Action>
      </form>
    </section>
  );
}
