import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { invitationLink } from '../../api/invitation.js';
import { session } from '../../api/session.js';
import { faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { Exact } from '../../parts/time.js';
import { type Member, type NamedRole, readMembersAgain } from './member.js';
import { RoleChoice } from './role-choice.js';

const secretBytes = 24;

interface Props {
  roles: readonly NamedRole[];
  onClose: () => void;
}

/** Invites somebody with a first password that is made here, and shows the link with it once. */
export function Invite({ roles, onClose }: Props) {
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['viewer']));
  const [secret] = useState(newSecret);
  const [key] = useState(() => crypto.randomUUID());
  const [fault, setFault] = useState<Readonly<Record<string, string>>>({});
  const [invited, setInvited] = useState<Member>();
  const { run, isBusy, error } = useAttempt();
  const invite = () => {
    const found = {
      ...(name.trim() === '' ? { name: 'This is needed.' } : {}),
      ...(chosen.size === 0 ? { roles: 'Choose at least one role.' } : {}),
    };
    setFault(found);
    if (Object.keys(found).length > 0) return;
    void run(async (signal) => {
      const body = {
        name: name.trim(),
        ...(fullname.trim() === '' ? {} : { fullname: fullname.trim() }),
        secret,
        role_binding: [...chosen],
        options: { options: ['invited'] },
      };
      const { result } = await call('members_create', { body, idempotencyKey: key }, signal);
      await readMembersAgain();
      announce(`${result.member.fullname} is invited`);
      setInvited(result.member);
    });
  };
  if (invited) return <InvitationShown invited={invited} secret={secret} onClose={onClose} />;
  const faults = faultsOf(error);
  const ofRoles = [...faults].find(([place]) => place.startsWith('/role_binding'))?.[1];
  const isShown = faults.has('/name') || faults.has('/fullname') || ofRoles !== undefined;
  return (
    <FormDialog
      title="Invite a member"
      operation="members_create"
      action="Invite"
      busy="Inviting …"
      isBusy={isBusy}
      onClose={onClose}
      error={isShown ? undefined : error}
      onSubmit={invite}
    >
      <Field
        label="E-mail address"
        isRequired
        autocomplete="off"
        value={name}
        fault={fault['name'] ?? faults.get('/name')}
        onInput={setName}
      />
      <Field
        label="Name (optional)"
        autocomplete="off"
        value={fullname}
        fault={faults.get('/fullname')}
        onInput={setFullname}
      />
      <RoleChoice
        roles={roles}
        chosen={chosen}
        fault={fault['roles'] ?? ofRoles}
        onChange={setChosen}
      />
    </FormDialog>
  );
}

interface ShownProps {
  invited: Member;
  secret: string;
  onClose: () => void;
}

function InvitationShown({ invited, secret, onClose }: ShownProps) {
  const organization = session.value?.organization.name ?? '';
  const link = invitationLink({ organization, member: invited.name, secret });
  return (
    <ShownOnce
      title={`Invitation of ${invited.fullname}`}
      lead={
        <>
          Send this link to <strong>{invited.name}</strong> by a way that nobody else reads. It is
          shown now and never again: whoever opens it chooses the password. It ends at the first
          use, or on <Exact time={invited.pin_expires} />.
        </>
      }
      secrets={[{ name: 'Link of the invitation', text: link }]}
      onClose={onClose}
    />
  );
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
