import type { ManagementSchemas } from '#contract';
import { RequestError } from '../api/request-error.js';

type Patch = ManagementSchemas['PatchOperation'];

/** Operations that write fields of a record, unless somebody else has changed it since it was read. */
export function unlessChanged(
  updatedAt: string,
  fields: Readonly<Record<string, unknown>>,
): Patch[] {
  return [
    { op: 'test', path: '/updated_at', value: updatedAt },
    ...Object.entries(fields).map(([name, value]): Patch => ({
      op: 'add',
      path: `/${name}`,
      value,
    })),
  ];
}

/** True if a record was not written because somebody else has changed it. */
export function isConflict(error: Error | undefined): boolean {
  return (
    error instanceof RequestError &&
    error.problem.status === 409 &&
    error.problem.message.includes('updated_at')
  );
}

/** Says that nothing was overwritten, and offers to begin with what somebody else has saved. */
export function Conflict({ what, onTheirs }: { what: string; onTheirs: () => void }) {
  return (
    <div class="problem" role="alert">
      <p class="remedy">Somebody else has changed {what} meanwhile. Nothing of yours was saved.</p>
      <p>
        <button type="button" class="small" onClick={onTheirs}>
          Show what they have saved
        </button>
      </p>
    </div>
  );
}
