import { fault } from '#management/core';
import { parsePointer, type PatchOperation } from '#patch';

const operations = new Set(['add', 'remove', 'replace']);
const fields = new Set(['name', 'fullname', 'expires']);

/**
 * Refuses other patches than the specification allows: "only operations `add`, `remove`, `replace`; only paths `/name`,
 * `/fullname`, `/expires`, or a `/config` field". Its table of errors names `/config` itself, so the whole
 * configuration may be replaced too.
 * @throws ApiError 400 that points at the first refused operation
 */
export function checkCredentialPatch(patch: readonly PatchOperation[]): void {
  for (const [index, { op, path }] of patch.entries()) {
    if (!operations.has(op))
      throw fault(`/${index}/op`, `a credential cannot be patched with ${op}`, {
        value: op,
        remediation: 'use add, remove or replace',
      });
    if (!isAllowed(parsePointer(path)))
      throw fault(`/${index}/path`, `a credential cannot be patched at ${path || 'its root'}`, {
        value: path,
        remediation:
          'use /name, /fullname, /expires, or /config and paths below it, such as /config/secret',
      });
  }
}

function isAllowed(tokens: string[] | undefined): boolean {
  const [first, ...rest] = tokens ?? [];
  if (first === undefined) return false;
  return fields.has(first) ? rest.length === 0 : first === 'config';
}
