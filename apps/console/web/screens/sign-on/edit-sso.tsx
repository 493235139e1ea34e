import { useState } from 'preact/hooks';
import type { Body } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { errorBeside, faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Conflict, isConflict } from '../../parts/conflict.js';
import { Field } from '../../parts/field.js';
import { Select } from '../../parts/select.js';
import {
  configOf,
  fieldsOf,
  type Kind,
  type Sso,
  type SsoField,
  type Values,
  valuesOf,
} from './sso-values.js';

interface Props {
  /** The configuration to change; absent for a new one. */
  sso?: Sso | undefined;
  /** Entity id that this service has for SAML. */
  entityId: string;
  onClose: () => void;
}

/** Adds an identity provider, or changes one; of two people who change one at once the second is told. */
export function EditSso({ sso, entityId, onClose }: Props) {
  const [kind, setKind] = useState<Kind>(sso?.identity_provider.type ?? 'oidc');
  const [fullname, setFullname] = useState(sso?.fullname ?? '');
  const [isListed, setListed] = useState(sso?.listed ?? true);
  const [typed, setTyped] = useState<Values>({});
  const values: Values = {
    ...valuesOf(sso, kind),
    // It may arrive once the form is open.
    ...(sso === undefined && kind === 'saml' ? { sp_entity_id: entityId } : {}),
    ...typed,
  };
  const [key] = useState(() => crypto.randomUUID());
  const [isTried, setTried] = useState(false);
  const [isUnasked, setUnasked] = useState(false);
  const { run, isBusy, error } = useAttempt();
  const isMissing = ({ name, isRequired, isSecret }: SsoField) =>
    isRequired && !(isSecret && sso) && (values[name] ?? '').trim() === '';
  const fields = fieldsOf[kind];
  const save = () => {
    setTried(true);
    if (fields.some(isMissing) || fullname.trim() === '') return;
    void run(async (signal) => {
      const body = { fullname: fullname.trim(), listed: isListed, config: configOf(kind, values) };
      const query = isUnasked ? {} : { verify: 'true' };
      if (sso) {
        const changed = { ...body, updated_at: sso.updated_at } as Body<'auth_update_sso'>;
        const path = { ssoId: sso.id };
        await call('auth_update_sso', { path, query, body: changed }, signal);
      } else {
        const made = body as Body<'auth_create_sso'>;
        await call('auth_create_sso', { query, body: made, idempotencyKey: key }, signal);
      }
      await cache.invalidateQueries({ queryKey: ['auth_list_sso'] });
      announce(`${fullname} is saved`);
      onClose();
    });
  };
  const faults = faultsOf(error);
  const showTheirs = () => {
    void cache.invalidateQueries({ queryKey: ['auth_list_sso'] });
    onClose();
  };
  const places = ['/fullname', ...fields.map(({ name }) => `/config/${name}`)];
  const rest = errorBeside(error, (place) => places.includes(place));
  return (
    <FormDialog
      title={sso ? `Change ${sso.fullname}` : 'New identity provider'}
      operation={sso ? 'auth_update_sso' : 'auth_create_sso'}
      action={sso ? 'Save' : 'Add identity provider'}
      isBusy={isBusy}
      onClose={onClose}
      error={isConflict(rest) ? undefined : rest}
      onSubmit={save}
    >
      <Field
        label="Name"
        isRequired
        value={fullname}
        hint="People choose it by this name when they log on."
        fault={isTried && fullname.trim() === '' ? 'This is needed.' : faults.get('/fullname')}
        onInput={setFullname}
      />
      {!sso && (
        <Select
          label="Kind"
          value={kind}
          onChange={(next) => {
            setKind(next as Kind);
            setTyped({});
            setTried(false);
          }}
        >
          {{ oidc: 'OpenID Connect', saml: 'SAML 2.0' }}
        </Select>
      )}
      {fields.map((field) => {
        const { name, label, hint, isRequired, isSecret = false, isLong = false } = field;
        return (
          <Field
            key={name}
            label={sso ? labelOfChange(field) : label}
            isRequired={isRequired && !(isSecret && sso)}
            type={isSecret && !isLong ? 'password' : 'text'}
            autocomplete="off"
            value={values[name] ?? ''}
            hint={hint}
            fault={isTried && isMissing(field) ? 'This is needed.' : faults.get(`/config/${name}`)}
            onInput={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        );
      })}
      <label class="check">
        <input
          type="checkbox"
          checked={isListed}
          onChange={(event) => setListed(event.currentTarget.checked)}
        />
        Show its name on the logon page, to everybody who knows the organization
      </label>
      {(isUnasked || faults.has('/config/issuer_url')) && (
        <label class="check">
          <input
            type="checkbox"
            checked={isUnasked}
            onChange={(event) => setUnasked(event.currentTarget.checked)}
          />
          Save it without asking the issuer, which may answer later
        </label>
      )}
      {isConflict(error) && <Conflict what="this configuration" onTheirs={showTheirs} />}
    </FormDialog>
  );
}

/** Says what happens to a value that the service does not show. */
function labelOfChange({ label, isSecret }: SsoField): string {
  return isSecret ? `${label} (empty: stays as it is)` : label;
}
