import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { forgetSession } from '../../api/session.js';
import { announce } from '../../parts/announce.js';
import { errorOf, useAttempt } from '../../parts/attempt.js';
import { Confirm } from '../../parts/confirm.js';
import { isConflict } from '../../parts/conflict.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { EndingTokens } from '../../parts/tokens/ending-tokens.js';
import { type Member, type NamedRole, readMembersAgain } from './member.js';
import { RoleChoice } from './role-choice.js';

interface Props {
  member: Member;
  /** The session is one of this member. */
  isOwn: boolean;
  onClose: () => void;
}

export function ChangeRoles({
  member,
  roles,
  isOwn,
  onClose,
}: Props & { roles: readonly NamedRole[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(member.role_binding));
  const { run, isBusy, error } = useAttempt();
  const isSame = [...chosen].sort().join() === [...member.role_binding].sort().join();
  const save = () =>
    run(async (signal) => {
      if (!isSame) await change(member, '/role_binding', [...chosen], signal);
      announce(`The roles of ${member.fullname} are saved`);
      onClose();
    });
  return (
    <FormDialog
      isBusy={isBusy}
      onClose={onClose}
      title={`Roles of ${member.fullname}`}
      operation="members_patch"
      action="Save roles"
      error={isConflict(error) ? undefined : error}
      onSubmit={() => void save()}
    >
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
      <p class="note">
        It holds at once, for the tokens of the member too: a token never permits more than its
        member’s roles do.
        {isOwn && ' This is you: what you take away here, you cannot give back.'}
      </p>
      {isConflict(error) && <ChangedMeanwhile member={member} onClose={onClose} />}
    </FormDialog>
  );
}

const stateTexts = {
  disabled: {
    title: 'Disable',
    text: 'Its sessions end now, and it cannot log on until somebody enables it.',
    done: 'is disabled',
  },
  enabled: {
    title: 'Enable',
    text: 'The member can log on again, with the password as it was.',
    done: 'is enabled',
  },
} as const;

export function ChangeState({ member, to, onClose }: Props & { to: 'disabled' | 'enabled' }) {
  const { title, text, done } = stateTexts[to];
  const [isChanged, setChanged] = useState(false);
  const save = async (signal: AbortSignal) => {
    try {
      await change(member, '/state', to, signal);
    } catch (error) {
      if (!isConflict(errorOf(error))) throw error;
      setChanged(true);
      return;
    }
    announce(`${member.fullname} ${done}`);
    onClose();
  };
  return (
    <Confirm
      title={`${title} ${member.fullname}?`}
      operation="members_patch"
      action={title}
      work={save}
      onClose={onClose}
    >
      <p>{text}</p>
      {isChanged && <ChangedMeanwhile member={member} onClose={onClose} />}
    </Confirm>
  );
}

export function RemoveMember({ member, isOwn, onClose }: Props) {
  const remove = async (signal: AbortSignal) => {
    await call('members_delete', { path: { memberId: member.id } }, signal);
    announce(`${member.fullname} is removed`);
    if (isOwn) forgetSession();
    else await readMembersAgain();
    onClose();
  };
  return (
    <Confirm
      title={`Remove ${member.fullname}?`}
      operation="members_delete"
      action="Remove member"
      work={remove}
      onClose={onClose}
    >
      <p>{isOwn && 'This is you: you log off by it. '}With it are deleted, for good:</p>
      <ul class="bullets">
        <li>its password and its sessions</li>
        <EndingTokens filter={[`member_id[eq]${member.id}`, 'owner_type[eq]organization']} />
      </ul>
      <p>
        Tokens of integrations stay. To keep somebody out for a while, disable the member instead:
        that can be undone.
      </p>
    </Confirm>
  );
}

/** Changes one field of the member, unless somebody else has changed the member since it was read. @throws RequestError */
async function change(member: Member, path: string, value: unknown, signal: AbortSignal) {
  const body = [
    { op: 'test', path: '/updated_at', value: member.updated_at },
    { op: 'replace', path, value },
  ];
  await call('members_patch', { path: { memberId: member.id }, body }, signal);
  await readMembersAgain();
}

/** Says that nothing was saved, and shows the list as somebody else has made it. */
function ChangedMeanwhile({ member, onClose }: Pick<Props, 'member' | 'onClose'>) {
  // The dialog ends after the list has the change: one that is opened at once must not show the member as it was.
  const again = () => void readMembersAgain().finally(onClose);
  return (
    <div class="problem" role="alert">
      <p class="remedy">
        Somebody else has changed <bdi>{member.fullname}</bdi> meanwhile.
      </p>
      <p>
        Nothing was saved.{' '}
        <button type="button" class="small" onClick={again}>
          Read it again
        </button>
      </p>
    </div>
  );
}
