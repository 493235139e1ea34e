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
import { ChainsEditor } from './chains-editor.js';
import { FieldsEditor } from './fields-editor.js';
import { changedFields, isShown, missingIn, type PointRows, rowsOfPoint } from './point-rows.js';
import { chosenOf, type Point } from './point-values.js';
import { ProviderChoice } from './provider-choice.js';
import { faultFinder } from './rows.js';
import { SchedulesEditor } from './schedules-editor.js';

/** Everything that can be changed of an integration point; name and domain stay. */
export function PointForm({ point }: { point: Point }) {
  // The record is read again while somebody types, so what they began with is kept.
  const [base, setBase] = useState(point);
  const [fullname, setFullname] = useState(base.fullname ?? '');
  const [description, setDescription] = useState(base.description ?? '');
  const [chosen, setChosen] = useState(() => chosenOf(base));
  const [rows, setRows] = useState(() => rowsOfPoint(base));
  const [sent, setSent] = useState(rows);
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const { run, isBusy, error } = useAttempt();
  const begin = (record: Point) => {
    setBase(record);
    setFullname(record.fullname ?? '');
    setDescription(record.description ?? '');
    setChosen(chosenOf(record));
    setRows(rowsOfPoint(record));
  };
  const path = { integrationPointId: base.id };
  const readAgain = async (signal: AbortSignal) => {
    begin((await call('integrationPoints_get', { path }, signal)).result);
    for (const id of ['integrationPoints_get', 'integrationPoints_list'])
      void cache.invalidateQueries({ queryKey: [id] });
  };
  const save = () => {
    const found = missingIn(rows);
    setMissing(found);
    setSent(rows);
    if (found.size > 0) return;
    void run(async (signal) => {
      const changed = changedFields(base, { fullname, description, chosen, rows });
      const body = unlessChanged(base.updated_at, changed);
      await call('integrationPoints_patch', { path, body }, signal);
      await readAgain(signal);
      announce('Saved');
    });
  };
  const faults = missing.size > 0 ? missing : faultsOf(error);
  const rest = missing.size > 0 ? undefined : errorBeside(error, isShown);
  const editorOf = <Name extends keyof PointRows>(name: Name) => ({
    domain: base.connector,
    rows: rows[name],
    onChange: (list: PointRows[Name]) => setRows((before) => ({ ...before, [name]: list })),
    faultOf: faultFinder(
      faults,
      name,
      sent[name].map(({ key }) => key),
    ),
  });
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <section class="card stack" aria-labelledby="point">
        <h2 id="point">Integration point</h2>
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
      </section>
      <ChainsEditor {...editorOf('mappings')} />
      <FieldsEditor {...editorOf('additional_mappings')} />
      <SchedulesEditor {...editorOf('scheduled_operations')} />
      {isConflict(error) && (
        <Conflict what="this integration point" onTheirs={() => void run(readAgain)} />
      )}
      {rest && !isConflict(rest) && <ProblemBox error={rest} />}
      {missing.size > 0 && (
        <p class="wrong" role="alert">
          Something is missing above; nothing was saved.
        </p>
      )}
      <Action operation="integrationPoints_patch" kind="primary" type="submit" isBusy={isBusy}>
        Save integration point
      </Action>
    </form>
  );
}
