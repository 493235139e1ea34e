import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { call } from '../api/client.js';
import type { Input } from '../api/operations.js';
import { cache } from '../api/query.js';
import { Action } from './action.js';
import { announce } from './announce.js';

interface Named {
  fullname: string;
}

/**
 * Deletion of the records of a list: the button in a row, and the dialog that it opens.
 * @param dialogOf asks before the record is deleted
 */
export function useDeletion<One extends Named>(
  operation: OperationId,
  dialogOf: (record: One, onClose: () => void) => ComponentChild,
) {
  const [open, setOpen] = useState<One>();
  return {
    dialog: open && dialogOf(open, () => setOpen(undefined)),
    button: (record: One) => (
      <Action
        operation={operation}
        kind="small"
        name={`Delete ${record.fullname}`}
        onClick={() => setOpen(record)}
      >
        Delete
      </Action>
    ),
  };
}

/** Deletes a record, reads the lists again that had it, and says so. @throws RequestError */
export async function deleteRecord(
  operation: OperationId,
  { path, fullname, lists }: Required<Pick<Input, 'path'>> & Named & { lists: OperationId[] },
  signal: AbortSignal,
): Promise<void> {
  await call(operation, { path }, signal);
  for (const list of lists) await cache.invalidateQueries({ queryKey: [list] });
  announce(`${fullname} is deleted`);
}
