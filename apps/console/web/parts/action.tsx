import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { OperationId } from '#contract';
import { missingPermissions } from '../api/client.js';
import { operationOf } from '../api/operations.js';

interface Props {
  operation: OperationId;
  onClick: () => void;
  kind?: 'primary' | 'danger' | 'plain';
  isBusy?: boolean;
  type?: 'button' | 'submit';
  children: ComponentChildren;
}

/** Button that calls an operation. Without the permission it is disabled, and names it, so that people know what to ask for. */
export function Action({
  operation,
  onClick,
  kind = 'plain',
  isBusy = false,
  type = 'button',
  children,
}: Props) {
  const note = useId();
  const { permission } = operationOf(operation);
  const isMissing = missingPermissions.value.has(permission);
  return (
    <span class="action">
      <button
        type={type}
        class={kind}
        aria-disabled={isMissing || isBusy}
        aria-describedby={isMissing ? note : undefined}
        onClick={(event) => {
          if (isMissing || isBusy) event.preventDefault();
          else onClick();
        }}
      >
        {children}
      </button>
      {isMissing && (
        <small id={note}>
          Needs the permission <code>{permission}</code>.
        </small>
      )}
    </span>
  );
}
