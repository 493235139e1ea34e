import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { useAttempt } from './attempt.js';
import { Field } from './field.js';
import { FormDialog } from './form-dialog.js';

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
    <FormDialog
      operation={operation}
      action={action}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      title={`Delete ${fullname}?`}
      kind="danger"
      onSubmit={() => {
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
    </FormDialog>
  );
}
