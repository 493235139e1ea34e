import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { faultsOf } from '../../forms/faults.js';
import { FormDialog } from '../form-dialog.js';
import { useAttempt } from '../attempt.js';
import { Field } from '../field.js';
import { ReachFields, resourcesOf, useReachInWords, wholeOrganization } from '../reach-fields.js';
import { Select } from '../select.js';
import { readTokensAgain } from './change-token.js';
import type { Token } from './token.js';

type PermissionSet = ManagementSchemas['Permissions'];

const sets: Partial<Record<PermissionSet, string>> = {
  viewer: 'read everything and change nothing',
  administrator: 'read and change everything, with tokens and members,',
  'account-manager': 'create and change accounts, their integrations and credentials',
  'token-issuer': 'create tokens for integrations and do nothing else',
  'connect-ui': 'connect systems as the page of a customer does',
};
const ttls: Record<string, string> = {
  '1h': 'an hour',
  '24h': 'a day',
  '720h': '30 days',
  '2160h': '90 days',
  '8760h': 'a year',
};

interface Props {
  onClose: () => void;
  onCreated: (token: Token) => void;
}

/** Creates a token, and says in words what it will be able to do. */
export function CreateToken({ onClose, onCreated }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [fullname, setFullname] = useState('');
  const [set, setSet] = useState<PermissionSet>('viewer');
  const [ttl, setTtl] = useState('2160h');
  const [reach, setReach] = useState(wholeOrganization);
  const { run, isBusy, error } = useAttempt();
  const where = useReachInWords(reach);
  const create = () =>
    run(async (signal) => {
      const body = {
        ...(fullname.trim() === '' ? {} : { fullname: fullname.trim() }),
        permission_set: set,
        token_ttl: ttl,
        resources: resourcesOf(reach),
      };
      const { result } = await call('tokens_create_token', { body, idempotencyKey: key }, signal);
      await readTokensAgain();
      onCreated(result);
    });
  const faults = faultsOf(error);
  return (
    <FormDialog
      title="New token"
      operation="tokens_create_token"
      action="Create token"
      busy="Creating …"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={() => void create()}
    >
      <Field
        label="Name (optional)"
        value={fullname}
        hint="The program that will use it, such as Backend of the shop."
        fault={faults.get('/fullname')}
        onInput={setFullname}
      />
      <Select label="Permits" value={set} onChange={(value) => setSet(value as PermissionSet)}>
        {Object.fromEntries(Object.keys(sets).map((name) => [name, name]))}
      </Select>
      <ReachFields reach={reach} onChange={setReach} />
      <Select label="Valid for" value={ttl} onChange={setTtl}>
        {ttls}
      </Select>
      <p class="note">
        With it, a program can {sets[set]} {where}, for {ttls[ttl]}.
      </p>
    </FormDialog>
  );
}
