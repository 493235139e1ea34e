import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { useAttempt } from './attempt.js';
import { Field } from './field.js';
import { FormDialog } from './form-dialog.js';

interface Props {
  operation: OperationId;
  title: string;
  /** Name that has to be typed. */
  name: string;
  /** The word on the button. */
  action: string;
  kind?: 'primary' | 'danger';
  /** The reason to type the name, such as "to delete it". */
  goal?: string;
  work: (signal: AbortSignal) => Promise<void>;
  onClose: () => void;
  /** Says what happens. */
  children: ComponentChildren;
}

/** Asks before something that a click too many must not do, and does it once a name was typed. */
export function TypedConfirmation(props: Props) {
  const { operation, title, name, action, kind = 'danger', goal = 'to go on' } = props;
  const { work, onClose, children } = props;
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
      title={title}
      kind={kind}
      onSubmit={() => {
        if (typed.trim() === name) void run(work);
        else setFault(`Type ${name} ${goal}.`);
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
