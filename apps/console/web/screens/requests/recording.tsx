import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { mayCall } from '../../api/permissions.js';
import { cache, useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Confirm } from '../../parts/confirm.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemBox } from '../../parts/problem.js';
import { Select } from '../../parts/select.js';
import { Exact } from '../../parts/time.js';
import type { RequestRecord } from './request-record.js';

const windows = { 1: 'one hour', 4: 'four hours', 24: 'a day' } as const;

/** Whether the bodies of an integration's calls are recorded, and a button that begins or ends it. */
export function Recording({ request }: { request: RequestRecord }) {
  const path = { accountId: request.account_id, integrationId: request.integration_id };
  const read = useRead(
    'requests_get_recording',
    { path },
    undefined,
    mayCall('requests_get_recording'),
  );
  const [isStopping, setStopping] = useState(false);
  return (
    <Loaded of={read}>
      {({ result: { active, until } }) =>
        active && until ? (
          <>
            <p class="hint">
              Bodies of this integration’s calls are recorded, and kept, until{' '}
              <Exact time={until} />.
            </p>
            <p>
              <Action
                operation="requests_stop_recording"
                kind="danger"
                onClick={() => setStopping(true)}
              >
                Stop, and delete them
              </Action>
            </p>
            {isStopping && <Stop path={path} onClose={() => setStopping(false)} />}
          </>
        ) : (
          <Start path={path} />
        )
      }
    </Loaded>
  );
}

interface Place {
  path: { accountId: string; integrationId: string };
}

async function readAgain(): Promise<void> {
  await cache.invalidateQueries({ queryKey: ['requests_get_recording'] });
  await cache.invalidateQueries({ queryKey: ['requests_get'] });
}

function Start({ path }: Place) {
  const [hours, setHours] = useState('1');
  const { run, isBusy, error } = useAttempt();
  const start = () =>
    run(async (signal) => {
      await call('requests_record_bodies', { path, body: { hours: Number(hours) } }, signal);
      announce('Bodies are recorded from the next call on');
      await readAgain();
    });
  return (
    <>
      <p class="hint">
        Bodies are records of customers, so none is kept until somebody records those of an
        integration. Then calls that begin from now on have them, without secrets, until the time is
        over.
      </p>
      <div class="row">
        <Select label="For" value={hours} onChange={setHours}>
          {windows}
        </Select>
        <Action operation="requests_record_bodies" isBusy={isBusy} onClick={() => void start()}>
          Record the bodies of this integration
        </Action>
      </div>
      {error && <ProblemBox error={error} />}
    </>
  );
}

function Stop({ path, onClose }: Place & { onClose: () => void }) {
  return (
    <Confirm
      title="Stop recording?"
      operation="requests_stop_recording"
      action="Stop, and delete them"
      work={async (signal) => {
        await call('requests_stop_recording', { path }, signal);
        announce('Recording has ended');
        await readAgain();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        The bodies of this integration’s calls that were recorded are deleted. Calls stay in the
        log.
      </p>
    </Confirm>
  );
}
