import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { Action } from './action.js';
import { useAttempt } from './attempt.js';
import { Dialog } from './dialog.js';
import { DialogButtons } from './dialog-buttons.js';
import { Field } from './field.js';

interface Props {
  operation: OperationId;
  /** Name for people, in the title. */
  fullname: string;
  /** Name that has to be typed. */
  name: string;
  /** The word on the button. */
  action: string;
  remove: (signal: AbortSignal) => Promise<void>;
  onClose: () => void;
  /** Says what goes with it. */
  children: ComponentChildren;
}

/** Deletes something once its name was typed. */
export function TypedDeletion(props: Props) {
  const { operation, fullname, name, action, remove, onClose, children } = props;
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const { run, isBusy, error } = useAttempt();
  return (
    <Dialog title={`Delete ${fullname}?`} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === name) void run(remove);
          else setFault(`Type ${name} to delete it.`);
        }}
      >
        <div>{children}</div>
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          autocomplete="off"
          fault={fault}
          onInput={(text) => {
            setTyped(text);
            setFault(undefined);
          }}
        />
        <DialogButtons onClose={onClose} error={error}>
          <Action operation={operation} kind="danger" type="submit" isBusy={isBusy}>
            {action}
          </Action>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
