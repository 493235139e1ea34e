import { humanize } from '../forms/schema.js';
import { operationName } from './operation-name.js';

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
