import { useRef, useState } from 'preact/hooks';
import { call, RequestError } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { LineDifference } from '../../parts/line-difference.js';
import { TextConflict } from '../../parts/text-conflict.js';
import { Faults } from '../../parts/faults.js';
import type { Position } from '../../parts/text-place.js';
import type { Custom } from './check.js';

interface Props {
  document: string;
  base: Custom | undefined;
  onSaved: (custom: Custom) => void;
  onTaken: (theirs: Custom) => void;
  onShow: (position: Position) => void;
}

/** Stores the document; what differs from the stored one is shown first. */
export function SaveCustom({ document, base, onSaved, onTaken, onShow }: Props) {
  const { run, error, isBusy } = useAttempt();
  const [theirs, setTheirs] = useState<Custom>();
  const [saved, setSaved] = useState('');
  const created = useRef({ text: '', key: '' });
  const done = (custom: Custom, text: string) => {
    setTheirs(undefined);
    setSaved(text);
    announce(text);
    onSaved(custom);
    for (const id of ['customs_list', 'customs_get', 'capabilities_list_providers'])
      void cache.invalidateQueries({ queryKey: [id] });
  };
  const create = () =>
    run(async (signal) => {
      // A click that is repeated after a lost answer makes one record.
      if (created.current.text !== document)
        created.current = { text: document, key: crypto.randomUUID() };
      const input = { body: { data: document }, idempotencyKey: created.current.key };
      const { result } = await call('customs_create', input, signal);
      done(result.custom, 'Created');
      go(`/customs/${result.custom.id}`, true);
    });
  const saveOver = (over: Custom) =>
    run(async (signal) => {
      setSaved('');
      const path = { customId: over.id };
      const body = [
        { op: 'test', path: '/updated_at', value: over.updated_at },
        { op: 'replace', path: '/data', value: document },
      ];
      try {
        done((await call('customs_patch', { path, body }, signal)).result, 'Saved');
      } catch (failure) {
        if (!(failure instanceof RequestError) || failure.problem.status !== 409) throw failure;
        const { result: now } = await call('customs_get', { path }, signal);
        // Otherwise the document itself is refused, such as one without an id that integrations use.
        if (now.updated_at === over.updated_at) throw failure;
        setTheirs(now);
      }
    });
  return (
    <>
      {base && !theirs && base.data !== document && (
        <details open>
          <summary>What you have changed</summary>
          <LineDifference before={base.data} after={document} label="What you have changed" />
        </details>
      )}
      <Action
        operation={base ? 'customs_patch' : 'customs_create'}
        kind="primary"
        isBusy={isBusy}
        onClick={() => void (base ? saveOver(base) : create())}
      >
        {base ? 'Save' : 'Create custom provider'}
      </Action>
      {theirs && (
        <TextConflict
          what="this document"
          theirs={theirs.data}
          mine={document}
          operation="customs_patch"
          onMine={() => void saveOver(theirs)}
          onTheirs={() => {
            setTheirs(undefined);
            onTaken(theirs);
          }}
        />
      )}
      {error && <Faults error={error} text={document} onShow={onShow} />}
      <p role="status">{saved}</p>
    </>
  );
}
