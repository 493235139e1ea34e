import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { OperationId } from '#contract';
import { operationOf } from '../api/operations.js';
import { mayCall } from '../api/permissions.js';
import { Permission } from './in-words.js';

interface Props {
  operation: OperationId;
  /** A button that submits a form needs none. */
  onClick?: () => void;
  kind?: 'primary' | 'danger' | 'plain' | 'small';
  isBusy?: boolean;
  type?: 'button' | 'submit';
  /** Where several buttons have the same text. */
  name?: string;
  children: ComponentChildren;
}

/** Button that calls an operation. Without the permission it is disabled, and names it, so that people know what to ask for. */
export function Action({
  operation,
  onClick,
  kind = 'plain',
  isBusy = false,
  type = 'button',
  name,
  children,
}: Props) {
  const note = useId();
  const isMissing = !mayCall(operation);
  return (
    <span class="action">
      <button
        type={type}
        class={kind}
        aria-label={name}
        aria-disabled={isMissing || isBusy}
        aria-describedby={isMissing ? note : undefined}
        onClick={(event) => {
          if (isMissing || isBusy) event.preventDefault();
          else onClick?.();
        }}
      >
        {children}
      </button>
      {isMissing && <Missing operation={operation} id={note} />}
    </span>
  );
}

/** Names the permission that an operation needs. */
export function Missing({ operation, id }: { operation: OperationId; id?: string }) {
  return (
    <small id={id}>
      Needs the permission <Permission id={operationOf(operation).permission} />.
    </small>
  );
}
