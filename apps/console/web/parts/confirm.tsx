import type { ComponentChildren } from 'preact';
import type { OperationId } from '#contract';
import { Action } from './action.js';
import { useAttempt } from './attempt.js';
import { Dialog } from './dialog.js';
import { DialogButtons } from './dialog-buttons.js';

interface Props {
  title: string;
  operation: OperationId;
  /** The word on the button that does it. */
  action: string;
  /** The word on the button that changes nothing. */
  cancel?: string;
  kind?: 'primary' | 'danger';
  /** Does it; the dialog shows what went wrong. */
  work: (signal: AbortSignal) => Promise<void>;
  onClose: () => void;
  /** Says what happens. */
  children: ComponentChildren;
}

/** Asks before something is done, and does it once. */
export function Confirm(props: Props) {
  const { title, operation, action, cancel, kind = 'danger', work, onClose, children } = props;
  const { run, isBusy, error } = useAttempt();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <DialogButtons onClose={onClose} error={error} {...(cancel === undefined ? {} : { cancel })}>
        <Action operation={operation} kind={kind} isBusy={isBusy} onClick={() => void run(work)}>
          {action}
        </Action>
      </DialogButtons>
    </Dialog>
  );
}
