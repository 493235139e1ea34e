import { useState } from 'preact/hooks';
import { call, RequestError } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { Action } from '../action.js';
import { announce } from '../announce.js';
import { useAttempt } from '../attempt.js';
import { Link } from '../link.js';
import { ProblemBox } from '../problem.js';
import { Toned } from '../state.js';
import { Waiting } from '../waiting.js';
import { nameOf, pageOf, type Status } from '../integration-names.js';
import { Message } from '../message.js';

interface Props {
  /** The integrations of the page. */
  statuses: readonly Status[];
  /** Ids of those that are chosen. */
  ids: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
}

interface Outcome {
  status: Status;
  /** Why the check failed; absent if it passed. */
  message?: string;
}

/** Asks the providers of the chosen integrations of a page, one after the other, whether their configurations work. */
export function VerifyChosen({ statuses, ids, onChoose }: Props) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [progress, setProgress] = useState('');
  const { run, isBusy, since, error, cancel } = useAttempt();
  const chosen = statuses.filter(({ integration_id: id }) => ids.has(id));
  const verify = () =>
    run(async (signal) => {
      setOutcomes([]);
      for (const [index, status] of chosen.entries()) {
        setProgress(`${index + 1} of ${chosen.length}: ${nameOf(status)}`);
        const message = await verifyOne(status, signal);
        setOutcomes((before) => [...before, { status, ...(message ? { message } : {}) }]);
      }
      announce(`${chosen.length} integrations are checked`);
      void cache.invalidateQueries({ queryKey: ['status_list'] });
    });
  return (
    <div class="chosen-ones">
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.length === statuses.length}
          onChange={({ currentTarget: { checked } }) =>
            onChoose(new Set(checked ? statuses.map((one) => one.integration_id) : []))
          }
        />
        All of this page
      </label>
      {chosen.length > 0 && (
        <Action
          operation="integrations_verify_existing"
          isBusy={isBusy}
          onClick={() => void verify()}
        >
          {chosen.length === 1 ? 'Verify the chosen one' : `Verify the chosen ${chosen.length}`}
        </Action>
      )}
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel}>
          {`Asking the provider, ${progress} …`}
        </Waiting>
      )}
      {error && <ProblemBox error={error} />}
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </div>
  );
}

function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const failed = outcomes.filter(({ message }) => message !== undefined);
  return (
    <section class="card whole" aria-label="Checks">
      <p>
        {outcomes.length} checked, {failed.length === 0 ? 'all passed' : `${failed.length} failed`}.
      </p>
      <ul class="lines">
        {[...failed, ...outcomes.filter((one) => !failed.includes(one))].map(
          ({ status, message }) => (
            <li key={status.integration_id}>
              <Toned tone={message === undefined ? 'good' : 'bad'}>
                {message === undefined ? 'Passed' : 'Failed'}
              </Toned>
              <Link to={pageOf(status)}>
                <bdi>{nameOf(status)}</bdi>
              </Link>
              {message !== undefined && (
                <p>
                  <Message text={message} />
                </p>
              )}
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** Returns why the check of an integration failed. @throws when it was cancelled */
async function verifyOne(
  { account_id: accountId, integration_id: integrationId }: Status,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await call('integrations_verify_existing', { path: { accountId, integrationId } }, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message;
  }
}
