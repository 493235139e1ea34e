import { useRef, useState } from 'preact/hooks';
import type { OperationId } from '#contract';
import { call, RequestError } from '../../api/client.js';
import { cache } from '../../api/query.js';
import { setSearch } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Field } from '../../parts/field.js';
import { TextConflict } from '../../parts/text-conflict.js';
import { chainsWith } from '../../parts/mappings/chains.js';
import { MappingUsers, useMappingUse } from '../../parts/mappings/mapping-users.js';
import { Earlier, type Version } from './earlier.js';
import { type AtFault, Faults } from '../../parts/faults.js';
import { ForOperations, useKin } from './for-operations.js';
import { TryMany } from './try-many.js';
import type { Mapping, Subject } from './subject.js';

interface Props extends AtFault {
  subject: Subject;
  /** The stored mapping that the document began as. */
  base: Mapping | undefined;
  document: string;
  onSaved: (mapping: Mapping) => void;
  onTaken: (theirs: Mapping) => void;
  /** An earlier document was chosen, which is not saved yet. */
  onEarlier: (document: string) => void;
  onCompare: (version: Version) => void;
}

/** Stores the document: for all who use the mapping, or as another mapping that only this integration uses. */
export function Save(props: Props) {
  const { subject, base, document, onSaved, onTaken, onEarlier, onCompare, ...atFault } = props;
  const [name, setName] = useState('');
  const [isEntered, setEntered] = useState(false);
  const kin = useKin(subject, isEntered);
  const [picked, setPicked] = useState<ReadonlySet<OperationId>>();
  const chosen = picked ?? new Set(kin ?? [subject.operation]);
  const [theirs, setTheirs] = useState<Mapping>();
  const { run, error, isBusy } = useAttempt();
  const [saved, setSaved] = useState('');
  const key = useRef({ text: '', key: '' });
  const created = useRef<{ text: string; mapping: Mapping } | undefined>(undefined);

  const saveForAll = (over: Mapping) =>
    run(async (signal) => {
      setSaved('');
      const path = { mappingId: over.id };
      const body = [
        { op: 'test', path: '/updated_at', value: over.updated_at },
        { op: 'replace', path: '/data', value: document },
      ];
      try {
        const { result } = await call('mappings_patch', { path, body }, signal);
        setTheirs(undefined);
        onSaved(result);
        done('Saved for everybody who uses it');
      } catch (failure) {
        if (!(failure instanceof RequestError) || failure.problem.status !== 409) throw failure;
        setTheirs((await call('mappings_get', { path }, signal)).result);
      }
    });
  const done = (text: string) => {
    setSaved(text);
    announce(text);
    for (const id of ['mappings_list', 'mappings_get', 'integrations_get'])
      void cache.invalidateQueries({ queryKey: [id] });
  };
  const saveForOne = () =>
    run(async (signal) => {
      setSaved('');
      const text = JSON.stringify([name, document]);
      // When only attaching has failed, the mapping is there already.
      if (created.current?.text !== text) {
        if (key.current.text !== text) key.current = { text, key: crypto.randomUUID() };
        const input = {
          body: { name, fullname: name, data: document },
          idempotencyKey: key.current.key,
        };
        const { result } = await call('mappings_create', input, signal);
        created.current = { text, mapping: result.mapping };
      }
      const { mapping } = created.current;
      const path = { ...subject.path };
      // Read now, so that the chains which somebody has added meanwhile stay.
      const { result } = await call('integrations_get', { path }, signal);
      const chains = { ...subject.chains, own: result.mappings ?? [] };
      const old = base?.name;
      const body = [
        { op: 'test', path: '/updated_at', value: result.updated_at },
        { op: 'add', path: '/mappings', value: chainsWith(chains, [...chosen], mapping.name, old) },
      ];
      await call('integrations_patch', { path, body }, signal);
      onSaved(mapping);
      done('Saved for this integration');
      setSearch({ mapping: mapping.id }, true);
    });
  const use = useMappingUse(base);
  return (
    <>
      <TryMany subject={subject} stored={base} document={document}>
        {base && (
          <Action
            operation="mappings_patch"
            isBusy={isBusy}
            kind="primary"
            onClick={() => void saveForAll(base)}
          >
            Save for everybody who uses it
          </Action>
        )}
      </TryMany>
      {use && (
        <details>
          <summary>{usersInWords(use.count)}</summary>
          <MappingUsers use={use} />
        </details>
      )}
      {base && <Earlier mapping={base} onTake={onEarlier} onCompare={onCompare} />}
      {theirs && (
        <TextConflict
          what="this mapping"
          theirs={theirs.data}
          mine={document}
          operation="mappings_patch"
          onMine={() => void saveForAll(theirs)}
          onTheirs={() => {
            setTheirs(undefined);
            onTaken(theirs);
          }}
        />
      )}
      {error && <Faults error={error} text={document} {...atFault} />}
      <p role="status">{saved}</p>
      <form
        class="stack save"
        onFocusIn={() => setEntered(true)}
        onSubmit={(event) => {
          event.preventDefault();
          if (kin !== undefined) void saveForOne();
        }}
      >
        <Field
          label="Name of the new mapping"
          value={name}
          onInput={setName}
          isRequired
          hint="Lower-case letters, digits and dashes."
        />
        <ForOperations subject={subject} kin={kin} chosen={chosen} onChange={setPicked} />
        <Action
          operation="integrations_patch"
          type="submit"
          isBusy={isBusy || (isEntered && kin === undefined)}
        >
          Save for this integration only
        </Action>
      </form>
    </>
  );
}

function usersInWords(count: number): string {
  if (count === 0) return 'Nobody uses the stored mapping';
  return count === 1 ? 'One uses the stored mapping' : `${count} use the stored mapping`;
}
