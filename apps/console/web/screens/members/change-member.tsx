import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { call, RequestError } from '../../api/client.js';
import { forgetSession } from '../../api/session.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogButtons } from '../../parts/dialog-buttons.js';
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
    <Dialog title={`Roles of ${member.fullname}`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} />
        <p class="note">
          It holds at once, for the tokens of the member too: a token never permits more than its
          member’s roles do.
          {isOwn && ' This is you: what you take away here, you cannot give back.'}
        </p>
        <Buttons onClose={onClose} error={error} member={member}>
          <Action operation="members_patch" kind="primary" type="submit" isBusy={isBusy}>
            Save roles
          </Action>
        </Buttons>
      </form>
    </Dialog>
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
  const { run, isBusy, error } = useAttempt();
  const save = () =>
    run(async (signal) => {
      await change(member, '/state', to, signal);
      announce(`${member.fullname} ${done}`);
      onClose();
    });
  return (
    <Confirm
      {...{ member, onClose, error, isBusy }}
      title={`${title} ${member.fullname}?`}
      operation="members_patch"
      label={title}
      onConfirm={() => void save()}
    >
      {text}
    </Confirm>
  );
}

export function RemoveMember({ member, isOwn, onClose }: Props) {
  const { run, isBusy, error } = useAttempt();
  const remove = () =>
    run(async (signal) => {
      await call('members_delete', { path: { memberId: member.id } }, signal);
      announce(`${member.fullname} is removed`);
      if (isOwn) forgetSession();
      else await readMembersAgain();
      onClose();
    });
  return (
    <Confirm
      {...{ member, onClose, error, isBusy }}
      title={`Remove ${member.fullname}?`}
      operation="members_delete"
      label="Remove member"
      onConfirm={() => void remove()}
    >
      {isOwn ? 'This is you: you log off by it. ' : ''}Its password, its sessions and its tokens of
      the organization are deleted, and programs that use these tokens are refused. Tokens of
      integrations stay. This cannot be undone.
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

interface ConfirmProps {
  title: string;
  member: Member;
  operation: OperationId;
  label: string;
  onConfirm: () => void;
  onClose: () => void;
  isBusy: boolean;
  error: Error | undefined;
  children: ComponentChildren;
}

function Confirm(props: ConfirmProps) {
  const { title, member, operation, label, onConfirm, onClose, isBusy, error, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Buttons onClose={onClose} error={error} member={member}>
        <Action operation={operation} kind="danger" isBusy={isBusy} onClick={onConfirm}>
          {label}
        </Action>
      </Buttons>
    </Dialog>
  );
}

interface ButtonsProps {
  member: Member;
  onClose: () => void;
  error: Error | undefined;
  children: ComponentChildren;
}

function Buttons({ member, onClose, error, children }: ButtonsProps) {
  const isChanged =
    error instanceof RequestError &&
    error.problem.status === 409 &&
    error.problem.message.includes('/updated_at');
  // The dialog ends after the list has the change: one that is opened at once must not show the member as it was.
  const again = () => void readMembersAgain().finally(onClose);
  return (
    <>
      {isChanged && (
        <div class="problem" role="alert">
          <p class="remedy">Somebody else has changed {member.fullname} meanwhile.</p>
          <p>
            Nothing was saved.{' '}
            <button type="button" class="small" onClick={again}>
              Read it again
            </button>
          </p>
        </div>
      )}
      <DialogButtons onClose={onClose} error={isChanged ? undefined : error}>
        {children}
      </DialogButtons>
    </>
  );
}
