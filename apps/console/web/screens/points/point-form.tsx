import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Conflict, isConflict, unlessChanged } from '../../parts/conflict.js';
import { Field } from '../../parts/field.js';
import { ProblemBox } from '../../parts/problem.js';
import { chosenOf, environmentsOf, type Point } from './point-values.js';
import { ProviderChoice } from './provider-choice.js';

/** Name, description and providers of an integration point; the domain stays. */
export function PointForm({ point }: { point: Point }) {
  const [base] = useState(point);
  const [fullname, setFullname] = useState(base.fullname ?? '');
  const [description, setDescription] = useState(base.description ?? '');
  const [chosen, setChosen] = useState(() => chosenOf(base));
  const { run, isBusy, error } = useAttempt();
  const readAgain = async () => {
    for (const id of ['integrationPoints_get', 'integrationPoints_list'])
      await cache.invalidateQueries({ queryKey: [id] });
  };
  const save = () =>
    run(async (signal) => {
      const isOther = JSON.stringify(chosen) !== JSON.stringify(chosenOf(base));
      const body = unlessChanged(base.updated_at, {
        ...(fullname === (base.fullname ?? '') ? {} : { fullname: fullname.trim() || base.name }),
        ...(description === (base.description ?? '') ? {} : { description }),
        ...(isOther ? { environments: environmentsOf(chosen) } : {}),
      });
      await call(
        'integrationPoints_patch',
        { path: { integrationPointId: base.id }, body },
        signal,
      );
      announce('Saved');
      await readAgain();
    });
  const faults = faultsOf(error);
  const rest = errorBeside(error, (place) => ['/fullname', '/description'].includes(place));
  return (
    <section class="card" aria-labelledby="point">
      <h2 id="point">Integration point</h2>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field
          label="Full name"
          value={fullname}
          fault={faults.get('/fullname')}
          onInput={setFullname}
        />
        <Field
          label="Description"
          value={description}
          fault={faults.get('/description')}
          onInput={setDescription}
        />
        <ProviderChoice domain={base.connector} chosen={chosen} onChange={setChosen} />
        {isConflict(error) && (
          <Conflict what="this integration point" onTheirs={() => void readAgain()} />
        )}
        {rest && !isConflict(rest) && <ProblemBox error={rest} />}
        <Action operation="integrationPoints_patch" kind="primary" type="submit" isBusy={isBusy}>
          Save integration point
        </Action>
      </form>
    </section>
  );
}
