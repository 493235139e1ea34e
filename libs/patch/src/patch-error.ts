/** The member of a patch operation that an error is about; the operation as a whole when it is empty. */
export type PatchMember = '' | 'op' | 'path' | 'from' | 'value';

/** A patch that cannot be applied. `reason` is `test` when the record does not have a value that the patch tests for. */
export class PatchError extends Error {
  override readonly name = 'PatchError';

  constructor(
    message: string,
    /** JSON Pointer into the patch. */
    readonly pointer: string,
    readonly reason: 'invalid' | 'test',
    readonly remediation?: string,
    /** The pointer in the operation, if it is the cause. */
    readonly value?: string,
  ) {
    super(message);
  }
}

/** Pointer to a member of one operation of a patch. */
export function placeInPatch(index: number, member: PatchMember): string {
  return member === '' ? `/${index}` : `/${index}/${member}`;
}
