import { useState } from 'preact/hooks';
import { call, RequestError } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { keepSession, session } from '../../api/session.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { ProblemBox } from '../../parts/problem.js';
import { MailFields } from './mail-fields.js';
import { OriginsField } from './origins-field.js';
import { ThemeFields } from './theme-fields.js';
import {
  helpFault,
  mailsFault,
  type Organization,
  originFault,
  linesIn,
  patchOf,
  radiusFault,
  type Texts,
  textsOf,
} from './form-values.js';

/** One form: the record is one, and two people who save it at once must see that. */
export function SettingsForm({ organization }: { organization: Organization }) {
  // The record is read again while somebody types, so what they began with is kept.
  const [base, setBase] = useState(organization);
  const [texts, setTexts] = useState(() => textsOf(organization));
  const [theirs, setTheirs] = useState<Organization>();
  const [said, setSaid] = useState('');
  const [isTried, setTried] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const change = (part: Partial<Texts>) => {
    setSaid('');
    setTexts((before) => ({ ...before, ...part }));
  };
  const begin = (record: Organization) => {
    setBase(record);
    setTexts(textsOf(record));
    setTheirs(undefined);
  };
  const save = (over: Organization) => {
    setSaid('');
    setTried(true);
    if (texts.fullname.trim() === '' || linesIn(texts.origins).some(originFault)) return;
    if (mailsFault(texts) !== undefined) return;
    if (radiusFault(texts.radius) !== undefined) return;
    if (texts.helps.some((_, at) => helpFault(texts.helps, at) !== undefined)) return;
    void run(async (signal) => {
      try {
        await call('organization_patch', { body: patchOf(over, texts) }, signal);
      } catch (failure) {
        if (!(failure instanceof RequestError) || failure.problem.status !== 409) throw failure;
        setTheirs((await call('organization_get', {}, signal)).result);
        return;
      }
      const { result } = await call('organization_get', {}, signal);
      begin(result);
      const current = session.peek();
      if (current) keepSession({ ...current, organization: result });
      void cache.invalidateQueries({ queryKey: ['organization_get'] });
      setSaid('Saved. Pages that are open show it after a reload.');
      announce('Saved');
    });
  };
  const faults = faultsOf(error);
  const rest = errorBeside(
    error,
    (place) => place === '/fullname' || /^\/options\/(?:connect|alarm_mails)/.test(place),
  );
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(base);
      }}
    >
      <section class="card" aria-labelledby="organization">
        <h2 id="organization">Organization</h2>
        <Field
          label="Name"
          isRequired
          value={texts.fullname}
          fault={
            isTried && texts.fullname.trim() === '' ? 'This is needed.' : faults.get('/fullname')
          }
          onInput={(fullname) => change({ fullname })}
        />
      </section>
      <MailFields organization={base} texts={texts} faults={faults} onChange={change} />
      <OriginsField
        organization={base}
        value={texts.origins}
        faults={faults}
        onChange={(origins) => change({ origins })}
      />
      <ThemeFields texts={texts} faults={faults} isTried={isTried} onChange={change} />
      {theirs && (
        <div class="problem" role="alert">
          <p class="remedy">Somebody else has saved the organization meanwhile.</p>
          <p>Nothing of yours is stored yet, and nothing is lost.</p>
          <p class="changes">
            <Action operation="organization_patch" onClick={() => save(theirs)}>
              Save mine over it
            </Action>
            <button type="button" onClick={() => begin(theirs)}>
              Take theirs, drop mine
            </button>
          </p>
        </div>
      )}
      {rest && <ProblemBox error={rest} />}
      <p role="status">{said}</p>
      {!theirs && (
        <Action operation="organization_patch" kind="primary" type="submit" isBusy={isBusy}>
          Save settings
        </Action>
      )}
    </form>
  );
}
