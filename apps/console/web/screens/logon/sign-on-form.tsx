import { useEffect, useState } from 'preact/hooks';
import type { Result } from '#contract';
import { send } from '../../api/client.js';
import { keepSession, sessionOfMember } from '../../api/session.js';
import { beginSignOn, exchange, type ReturnedSignOn } from '../../api/sign-on.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { Failure, Submit } from './submit.js';

type Offered = Result<'auth_list_logon_sso'>['result'];

/** Logs on through an identity provider. @param returned a sign-on that it has finished */
export function SignOnForm({ returned }: { returned: ReturnedSignOn | undefined }) {
  const [organization, setOrganization] = useState(returned?.organizationId ?? '');
  const [offered, setOffered] = useState<Offered>();
  const { run, isBusy, error } = useAttempt();
  useEffect(() => {
    if (returned === undefined) return;
    void run(async () => {
      keepSession(sessionOfMember(await exchange(returned)));
    });
  }, []);
  const find = () =>
    run(async (signal) => {
      setOffered(undefined);
      const path = { organizationId: organization.trim() };
      const { result } = await send('auth_list_logon_sso', { path }, undefined, signal);
      if (result.length === 0)
        throw new Error(
          'This organization offers no sign-on here. Check its name, or ask its administrator to list an identity provider.',
        );
      setOffered(result);
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <Field
        label="Organization"
        isRequired
        autocomplete="organization"
        value={organization}
        onInput={(text) => {
          setOrganization(text);
          setOffered(undefined);
        }}
      />
      <Failure error={error} />
      {offered === undefined ? (
        <Submit isBusy={isBusy}>Continue</Submit>
      ) : (
        <div class="choices">
          {offered.map((one) => (
            <button
              type="button"
              key={one.id}
              onClick={() => beginSignOn(organization.trim(), one.id)}
            >
              {one.fullname}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}
