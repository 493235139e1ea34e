import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { announce } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { Operation } from '../../parts/in-words.js';

interface Props {
  job: ManagementSchemas['Operation'];
  onClose: () => void;
}

/** Ends a job, after it has said what that means. */
export function CancelJob({ job, onClose }: Props) {
  const cancel = async (signal: AbortSignal) => {
    await call('operations_cancel_job', { path: { operationId: job.id } }, signal);
    await cache.invalidateQueries({ queryKey: ['operations_list'] });
    announce('The job is cancelled');
    onClose();
  };
  return (
    <Confirm
      title="Cancel this job?"
      operation="operations_cancel_job"
      action="Cancel job"
      cancel="Leave it"
      work={cancel}
      onClose={onClose}
    >
      <p>
        <Operation id={job.operation} />{' '}
        {job.schedule
          ? 'runs no more, until its schedule is changed.'
          : 'ends; what it has written to its sink stays there.'}
      </p>
    </Confirm>
  );
}
