import { humanize } from '../forms/schema.js';
import { operationName, permissionName } from './operation-name.js';

/** An operation in words, with its id for programs beside. */
export function Operation({ id }: { id: string }) {
  return (
    <>
      {operationName(id)} <code>{id}</code>
    </>
  );
}

/** A code such as `sso_member_created` in words, with the code beside. */
export function Code({ of }: { of: string }) {
  return (
    <>
      {humanize(of)} <code>{of}</code>
    </>
  );
}

/** A permission in words, with its id beside, by which an administrator finds it in a role. */
export function Permission({ id }: { id: string }) {
  return (
    <>
      “{permissionName(id)}”, <code>{id}</code>
    </>
  );
}
