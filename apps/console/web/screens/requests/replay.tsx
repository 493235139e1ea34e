import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { LineDifference } from '../../parts/line-difference.js';
import { ProblemBox } from '../../parts/problem.js';
import { MappingChoice } from '../../parts/mappings/mapping-choice.js';
import type { RequestRecord } from './request-record.js';

/** Runs a recorded call again from what its provider answered then, with the mappings that somebody names, and shows what differs. */
export function Replay({ request }: { request: RequestRecord }) {
  const [chain, setChain] = useState(request.mapping_chain.join(', '));
  const [replayed, setReplayed] = useState<Result<'requests_replay'>['result']>();
  const { run, isBusy, error } = useAttempt();
  const replay = () =>
    run(async (signal) => {
      setReplayed(undefined);
      const mappings = chain.split(',').flatMap((one) => one.trim() || []);
      const path = { requestId: request.id };
      const { result } = await call('requests_replay', { path, body: { mappings } }, signal);
      setReplayed(result);
      announce('The call was replayed');
    });
  return (
    <section class="card stack" aria-labelledby="replay">
      <h2 id="replay">Replay with other mappings</h2>
      <p>
        Runs the call from the recorded answers, as the integration is now and with the mappings
        below. Nobody is called, and nothing is stored.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void replay();
        }}
      >
        <Field
          label="Mappings, in their order"
          value={chain}
          onInput={setChain}
          hint="Names, with commas between them. default:0 is the built-in one."
        />
        <MappingChoice
          label="Add a mapping of your own"
          chosen=""
          by="name"
          onChoose={(name) => setChain([chain.trim(), name].filter(Boolean).join(', '))}
        />
        <p>
          <Action operation="requests_replay" kind="primary" type="submit" isBusy={isBusy}>
            {isBusy ? 'Replaying …' : 'Replay'}
          </Action>
        </p>
      </form>
      {error && <ProblemBox error={error} />}
      {replayed && <Outcome {...replayed} />}
    </section>
  );
}

function Outcome({ stored, given, difference }: Result<'requests_replay'>['result']) {
  const show = (one: typeof stored) => JSON.stringify(one, null, 2);
  return (
    <>
      <p role="status">
        {difference.length === 0
          ? 'Both answer the same.'
          : `${difference.length === 1 ? 'One place differs' : `${difference.length} places differ`}: − is what the integration answers now, + what these mappings make of it.`}
      </p>
      {difference.length > 0 && (
        <LineDifference
          label="What the mappings change"
          before={show(stored)}
          after={show(given)}
        />
      )}
    </>
  );
}
