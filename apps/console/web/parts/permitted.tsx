import type { ComponentChildren } from 'preact';
import type { OperationId } from '#contract';
import { mayCall } from '../api/permissions.js';
import { Missing } from './action.js';

interface Props {
  operation: OperationId;
  /** Names the content, such as "the audit trail". */
  what: string;
  children: ComponentChildren;
}

/**
 * Content that needs a permission to be read. Where it is known to be missing, nothing is asked of the service, and people learn what to ask an
 * administrator for.
 */
export function Permitted({ operation, what, children }: Props) {
  if (mayCall(operation)) return <>{children}</>;
  return (
    <div class="empty card" role="note">
      <p>Your token does not show {what}. An administrator can give you one that does.</p>
      <p>
        <Missing operation={operation} />
      </p>
    </div>
  );
}
