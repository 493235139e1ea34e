import type { OperationId } from '#contract';
import { requestOf } from '../api/client.js';
import { curlOf } from '../api/curl.js';
import type { Input } from '../api/operations.js';
import { Copy } from './copy.js';

/** The command of a request that was not sent yet. */
export function CommandOf({ operation, input }: { operation: OperationId; input: Input }) {
  const command = curlOf({ ...requestOf(operation, input), isAuthorized: true });
  return (
    <details>
      <summary>As a command</summary>
      <div class="command">
        <code tabIndex={0}>{command}</code>
        <Copy text={command} name="command" />
      </div>
    </details>
  );
}
