import { useEffect, useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { call } from '../../api/client.js';
import { mayCall } from '../../api/permissions.js';
import { Missing } from '../../parts/action.js';
import { useAttempt } from '../../parts/attempt.js';
import { FaultPlace, Faults } from '../../parts/faults.js';
import { faultsOf, type FoundFault } from '../../parts/found-fault.js';
import type { Position } from '../../parts/text-place.js';

const pauseMs = 500;

export type Custom = ManagementSchemas['Custom'];
type Note = NonNullable<ManagementSchemas['UpdateCustomResponse']['messages']>;

interface Props {
  document: string;
  /** The stored document; absent for a new one. */
  base: Custom | undefined;
  onShow: (position: Position) => void;
  /** Gets the faults that have a place in the document. */
  onFaults: (faults: readonly FoundFault[]) => void;
}

/** All faults of a document, whenever the typing pauses; nothing is stored. */
export function Check({ document, base, onShow, onFaults }: Props) {
  const { run, error } = useAttempt();
  const [checked, setChecked] = useState<{ text: string; notes: Note | undefined }>();
  const operation = base ? 'customs_patch' : 'customs_create';
  const isSame = document === base?.data;
  const may = mayCall(operation);
  useEffect(() => onFaults(faultsOf(error)), [error]);
  useEffect(() => {
    if (isSame || !may) return;
    const check = () =>
      run(async (signal) => {
        const { messages } = await dryRun(document, base, signal);
        setChecked({ text: document, notes: messages ?? undefined });
      }, true);
    const timer = window.setTimeout(() => void check(), pauseMs);
    return () => window.clearTimeout(timer);
  }, [document, base, may]);
  if (!may) return <Missing operation={operation} />;
  if (isSame) return <p class="empty">This is what is stored.</p>;
  if (error) return <Faults error={error} text={document} onShow={onShow} />;
  if (checked?.text !== document) return <p class="hint">Checks the document …</p>;
  return (
    <>
      <p class="passed">The document has no faults. It is not saved yet.</p>
      <Doubts notes={checked.notes} text={document} onShow={onShow} />
    </>
  );
}

async function dryRun(data: string, base: Custom | undefined, signal: AbortSignal) {
  const query = { dry_run: 'true' };
  if (!base) return await call('customs_create', { query, body: { data } }, signal);
  const body = [{ op: 'replace', path: '/data', value: data }];
  return await call('customs_patch', { path: { customId: base.id }, query, body }, signal);
}

interface DoubtsProps {
  notes: Note | undefined;
  text: string;
  onShow: (position: Position) => void;
}

/** Expressions that compile and may mean something else than they say. */
function Doubts({ notes, text, onShow }: DoubtsProps) {
  return (
    <>
      {(notes?.problems ?? []).map(({ message, context }, index) => (
        <FaultPlace
          key={index}
          message={message.replace(/^line \d+, column \d+: /, '')}
          position={context?.parameter?.position ?? undefined}
          text={text}
          onShow={onShow}
        />
      ))}
    </>
  );
}
