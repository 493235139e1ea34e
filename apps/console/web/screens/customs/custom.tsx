import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Confirm } from '../../parts/confirm.js';
import { CodeEditor } from '../../parts/code-editor.js';
import type { Editor as TextEditor } from '../../parts/editor/create-editor.js';
import type { FoundFault } from '../../parts/found-fault.js';
import { counted, maxCounted } from '../../parts/counted.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { type Draft, forgetDraft, keepDraft, keptDraft } from '../../parts/mappings/drafts.js';
import { placeIn, type Position } from '../../parts/text-place.js';
import { begun } from './begun.js';
import { Check, type Custom } from './check.js';
import { Outline, providersOf } from './outline.js';
import { SaveCustom } from './save-custom.js';
import { useDocumentCompletion } from './use-document-completion.js';

/** Characters that the service takes as a provider document. */
const maxDocument = 262_144;
const drafts = 'customs';
const maxNamed = 8;

/** A provider document of the organization: edited, checked while it is typed, saved and deleted. */
export function CustomScreen({ customId = '' }: Record<string, string>) {
  return (
    <>
      <p class="crumbs">
        <Link to="/customs">Custom providers</Link>
      </p>
      {customId === 'new' ? (
        <>
          <h1 tabIndex={-1}>New custom provider</h1>
          <Editor key="new" />
        </>
      ) : (
        <Stored key={customId} customId={customId} />
      )}
    </>
  );
}

function Stored({ customId }: { customId: string }) {
  const read = useRead('customs_get', { path: { customId } });
  return (
    <>
      <h1 tabIndex={-1} dir="auto">
        {read.data?.result.fullname ?? 'Custom provider'}
      </h1>
      <Loaded of={read} lines={12}>
        {({ result }) => <Editor stored={result} />}
      </Loaded>
    </>
  );
}

function Editor({ stored }: { stored?: Custom }) {
  // Reading the document again must not replace what somebody types.
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = keptDraft(drafts, stored?.id);
    if (kept !== undefined && kept.document !== kept.base?.data) return kept;
    return { document: stored?.data ?? begun, sample: '', base: stored };
  });
  const { document, base } = draft;
  const latest = useRef(draft);
  const change = (changes: Partial<Draft>) => {
    latest.current = { ...latest.current, ...changes };
    keepDraft(drafts, stored?.id, latest.current);
    setDraft(latest.current);
  };
  const saved = (custom: Custom) => {
    change({ base: custom });
    if (custom.id === stored?.id) return;
    // The new document has a page of its own, which begins with what was typed meanwhile.
    keepDraft(drafts, custom.id, latest.current);
    forgetDraft(drafts, stored?.id);
  };
  const [isDeleting, setDeleting] = useState(false);
  const complete = useDocumentCompletion();
  const [faults, setFaults] = useState<readonly FoundFault[]>();
  const editor = useRef<TextEditor>(null);
  const show = (position: Position) => editor.current?.show(placeIn(document, position).offset);
  useEffect(() => {
    if (document === (base?.data ?? begun)) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [document, base]);
  return (
    <div class="columns">
      <section class="card" aria-labelledby="document">
        <h2 id="document">Editor</h2>
        <CodeEditor
          label="Document"
          value={document}
          onInput={(text) => change({ document: text })}
          maxPasted={maxDocument}
          complete={complete}
          note="Ctrl-Space lists what may stand at the cursor, F8 leads to the next fault."
          faults={faults}
          editor={editor}
        />
        <SaveCustom
          document={document}
          base={base}
          onSaved={saved}
          onTaken={(theirs) => change({ document: theirs.data, base: theirs })}
          onShow={show}
        />
      </section>
      <div class="stack">
        <section class="card" aria-labelledby="check">
          <h2 id="check">Check</h2>
          <Check document={document} base={base} onShow={show} onFaults={setFaults} />
        </section>
        <section class="card" aria-labelledby="outline">
          <h2 id="outline">Outline</h2>
          <Outline text={document} onShow={show} />
        </section>
        {stored && base && (
          <section class="card" aria-labelledby="use">
            <h2 id="use">Use it</h2>
            <p>Connect it with an account that is for tests; the explorer then sends its calls.</p>
            <div class="changes">
              {providersOf(base.data).map((id) => (
                <Action
                  key={id}
                  operation="integrations_create"
                  onClick={() => go(`/integrations/new?provider=${id}`)}
                >
                  Connect {id}
                </Action>
              ))}
              <Action operation="customs_delete" kind="danger" onClick={() => setDeleting(true)}>
                Delete
              </Action>
            </div>
          </section>
        )}
      </div>
      {isDeleting && base && <DeleteCustom custom={base} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function DeleteCustom({ custom, onClose }: { custom: Custom; onClose: () => void }) {
  const filter = `provider_type[in]${providersOf(custom.data).join(',')}`;
  const users = useRead('integrations_list', { query: { limit: maxCounted, filter } }).data?.result;
  const remove = async (signal: AbortSignal) => {
    await call('customs_delete', { path: { customId: custom.id } }, signal);
    forgetDraft(drafts, custom.id);
    void cache.invalidateQueries({ queryKey: ['customs_list'] });
    announce(`${custom.fullname} is deleted`);
    go('/customs');
  };
  return (
    <Confirm
      title={`Delete ${custom.fullname}?`}
      operation="customs_delete"
      action="Delete custom provider"
      work={remove}
      onClose={onClose}
    >
      {users !== undefined && users.length > 0 ? (
        <>
          <p>
            The service refuses to delete it while{' '}
            {counted(users.length, 'integration', 'integrations')} of it{' '}
            {users.length === 1 ? 'is' : 'are'} there. Delete {users.length === 1 ? 'it' : 'them'}{' '}
            first:
          </p>
          <ul class="bullets">
            {users.slice(0, maxNamed).map(({ id, account_id, fullname }) => (
              <li key={id}>
                <Link to={`/integrations/${account_id}/${id}`}>
                  <bdi>{fullname}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          {users && 'No integration uses it. '}Its document is deleted, and only the audit trail has
          what it was.
        </p>
      )}
    </Confirm>
  );
}
