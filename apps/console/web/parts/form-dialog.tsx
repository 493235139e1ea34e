import type { ComponentChildren } from 'preact';
import type { OperationId } from '#contract';
import { Action } from './action.js';
import { Dialog } from './dialog.js';
import { DialogButtons } from './dialog-buttons.js';

interface Props {
  title: string;
  /** The operation that the form sends. */
  operation: OperationId;
  /** The word on the button that sends it. */
  action: string;
  /** The word in its place while the request runs. */
  busy?: string;
  kind?: 'primary' | 'danger';
  isBusy: boolean;
  /** The error of the request, unless it is shown at the fields. */
  error: Error | undefined;
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children: ComponentChildren;
}

/** Dialog with a form. The service says what is wrong with a field, so the browser's own messages are off. */
export function FormDialog(props: Props) {
  const { title, operation, action, busy = action, kind = 'primary', isBusy, error } = props;
  const { onSubmit, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <DialogButtons onClose={onClose} error={error}>
          <Action operation={operation} kind={kind} type="submit" isBusy={isBusy}>
            {isBusy ? busy : action}
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
