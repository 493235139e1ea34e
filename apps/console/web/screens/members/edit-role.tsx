import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { useRead } from '../../api/query.js';
import { faultsOf } from '../../forms/faults.js';
import { announce } from '../../parts/announce.js';
import { FormDialog } from '../../parts/form-dialog.js';
import { Confirm } from '../../parts/confirm.js';
import { counted, maxCounted } from '../../parts/counted.js';
import { useAttempt } from '../../parts/attempt.js';
import { isConflict } from '../../parts/conflict.js';
import { Field } from '../../parts/field.js';
import {
  ReachFields,
  reachOf,
  reachOfResources,
  resourcesOf,
  useReachInWords,
  wholeOrganization,
} from '../../parts/reach-fields.js';
import { Select } from '../../parts/select.js';
import { readMembersAgain, readRolesAgain, type Role } from './member.js';

type Set = ManagementSchemas['PermissionSet'];

interface Props {
  /** The role to change; absent for a new one. */
  role?: Role | undefined;
  sets: readonly Set[];
  onClose: () => void;
}

/** Makes a role, or changes one: a permission set on a part of the organization. */
export function EditRole({ role, sets, onClose }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const [fullname, setFullname] = useState(role?.fullname ?? '');
  const [set, setSet] = useState<string>(role?.permission_set ?? 'viewer');
  const before = role ? reachOfResources(role.resources) : wholeOrganization;
  const [reach, setReach] = useState(before);
  const where = useReachInWords(reach ?? wholeOrganization);
  const { run, isBusy, error } = useAttempt();
  const [needed, setNeeded] = useState<string>();
  const save = () => {
    if (fullname.trim() === '') return setNeeded('This is needed.');
    return run(async (signal) => {
      const resources =
        reach && JSON.stringify(reach) !== JSON.stringify(before) && resourcesOf(reach);
      const fields = { fullname: fullname.trim(), permission_set: set };
      if (role) await change(role, { ...fields, ...(resources ? { resources } : {}) }, signal);
      else {
        const body = { ...fields, resources: resourcesOf(reach ?? wholeOrganization) };
        await call('roles_create', { body, idempotencyKey: key }, signal);
      }
      await readRolesAgain();
      announce(`The role ${fullname} is saved`);
      onClose();
    });
  };
  const description = sets.find(({ name }) => name === set)?.description;
  return (
    <FormDialog
      title={role ? `Change ${role.fullname}` : 'New role'}
      operation={role ? 'roles_patch' : 'roles_create'}
      action={role ? 'Save role' : 'Create role'}
      isBusy={isBusy}
      onClose={onClose}
      error={isConflict(error) ? undefined : error}
      onSubmit={() => void save()}
    >
      <Field
        label="Name"
        value={fullname}
        isRequired
        hint="As people call it, such as Support of France."
        fault={needed ?? faultsOf(error).get('/fullname')}
        onInput={(text) => {
          setNeeded(undefined);
          setFullname(text);
        }}
      />
      <Select label="Permits" value={set} onChange={setSet}>
        {Object.fromEntries(sets.map(({ name }) => [name, name]))}
      </Select>
      {reach ? (
        <ReachFields reach={reach} onChange={setReach} />
      ) : (
        <p class="note">
          It holds for{' '}
          {reachOf(role?.resources?.accounts, role?.resources?.integrations?.categories)}. These
          fields cannot say that, so it stays as it is.
        </p>
      )}
      <p class="note">
        {description ?? `It permits what ${set} permits`}
        {reach ? ` Holds ${where}.` : ''}
        {role ? ' The change holds at once for members who have the role.' : ''}
      </p>
      {isConflict(error) ? (
        <div class="problem" role="alert">
          <p class="remedy">Somebody else has changed this role meanwhile. Nothing was saved.</p>
          <p>Close this dialog: the list then has what they saved.</p>
        </div>
      ) : null}
    </FormDialog>
  );
}

/** Writes the fields that differ, unless somebody else has changed the role since it was read. @throws RequestError */
async function change(role: Role, fields: Record<string, unknown>, signal: AbortSignal) {
  const now: Record<string, unknown> = { ...role };
  const changed = Object.entries(fields).filter(([name, value]) => now[name] !== value);
  const body = [
    { op: 'test', path: '/updated_at', value: role.updated_at },
    ...changed.map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  ];
  try {
    await call('roles_patch', { path: { roleId: role.id }, body }, signal);
  } catch (failure) {
    await readRolesAgain();
    throw failure;
  }
}

/** Asks before a role is deleted. */
export function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const query = { limit: maxCounted, filter: `role_binding[eq]${role.name}` };
  const holders = useRead('members_list', { query }).data?.result.length;
  const remove = async (signal: AbortSignal) => {
    await call('roles_delete', { path: { roleId: role.id } }, signal);
    await Promise.all([readRolesAgain(), readMembersAgain()]);
    announce(`${role.fullname} is deleted`);
    onClose();
  };
  return (
    <Confirm
      title={`Delete ${role.fullname}?`}
      operation="roles_delete"
      action="Delete role"
      work={remove}
      onClose={onClose}
    >
      <p>
        {holders !== undefined && `Had by ${counted(holders, 'member', 'members')}. `}
        Members who have it lose it at once, and tokens that are bound to it are deleted. This
        cannot be undone.
      </p>
    </Confirm>
  );
}
