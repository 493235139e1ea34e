import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeEditor } from '../../parts/code-editor.js';
import type { Editor } from '../../parts/editor/create-editor.js';
import { type Draft, forgetDraft, keepDraft, keptDraft } from '../../parts/mappings/drafts.js';
import type { AtFault } from '../../parts/faults.js';
import type { FoundFault } from '../../parts/found-fault.js';
import { Pane, Panes } from './panes.js';
import { Exact } from '../../parts/time.js';
import type { Version } from './earlier.js';
import { Preview } from './preview.js';
import { Record } from './record.js';
import { Save } from './save.js';
import type { Mapping, Subject } from './subject.js';
import { placeIn } from '../../parts/text-place.js';
import { useCompletion } from '../../parts/mappings/use-completion.js';

/** Characters that the service takes as a mapping document. */
const maxDocument = 262_144;
const begun = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root = this
`;

/** Document, record, result and chain beside each other. */
export function Workbench({ subject, stored }: { subject: Subject; stored?: Mapping }) {
  const { integrationId } = subject.path;
  // Reading the mapping again must not replace what somebody types.
  const [draft, setDraft] = useState(() => {
    const kept = keptDraft(integrationId, stored?.id);
    if (kept !== undefined && kept.document !== kept.base?.data) return kept;
    const document = stored?.data ?? begun;
    return { document, sample: kept?.sample ?? '', base: stored };
  });
  const { document, sample, base } = draft;
  const latest = useRef(draft);
  const change = (changes: Partial<Draft>) => {
    latest.current = { ...latest.current, ...changes };
    keepDraft(integrationId, stored?.id, latest.current);
    setDraft(latest.current);
  };
  const saved = (mapping: Mapping) => {
    change({ base: mapping });
    if (mapping.id === stored?.id) return;
    // The new mapping has a page of its own, which begins with what was typed meanwhile.
    keepDraft(integrationId, mapping.id, latest.current);
    forgetDraft(integrationId, stored?.id);
  };
  const [isEdited, setEdited] = useState(false);
  const complete = useCompletion(subject.operation, sample, isEdited);
  const editor = useRef<Editor>(null);
  const [faults, setFaults] = useState<readonly FoundFault[]>();
  const [compared, setCompared] = useState<Version | 'stored'>();
  const isChanged = base !== undefined && document !== base.data;
  const atFault: AtFault = {
    onShow: (position) => editor.current?.show(placeIn(document, position).offset),
    onFix: (replacement) => editor.current?.replace(replacement),
  };
  useEffect(() => {
    if (document === (base?.data ?? begun)) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [document, base]);
  return (
    <Panes
      first={
        <Pane
          name="document"
          title="Editor"
          onFocusIn={() => setEdited(true)}
          actions={
            isChanged && (
              <button
                type="button"
                class="small"
                aria-pressed={compared === 'stored'}
                onClick={() => setCompared(compared === 'stored' ? undefined : 'stored')}
              >
                Show what you have changed
              </button>
            )
          }
        >
          <CodeEditor
            label="Document"
            value={document}
            onInput={(text) => change({ document: text })}
            maxPasted={maxDocument}
            complete={complete}
            note="In a template, this is the record and root is what becomes of it. Ctrl-Space lists what may stand at the cursor, F8 leads to the next fault."
            faults={faults}
            compared={
              compared === 'stored' ? (isChanged ? base.data : undefined) : compared?.document
            }
            editor={editor}
          />
          {typeof compared === 'object' && (
            <p class="note">
              Compared with the version of <Exact time={compared.at} />: its lines are red, those
              that take their place green.{' '}
              <button type="button" class="small" onClick={() => setCompared(undefined)}>
                End the comparison
              </button>
            </p>
          )}
          <Save
            subject={subject}
            base={base}
            document={document}
            onSaved={saved}
            onEarlier={(text) => change({ document: text })}
            onCompare={setCompared}
            onTaken={(theirs) => change({ base: theirs, document: theirs.data })}
            {...atFault}
          />
        </Pane>
      }
      others={
        <>
          <Record subject={subject} sample={sample} onChange={(text) => change({ sample: text })} />
          <Preview
            subject={subject}
            document={document}
            sample={sample}
            stored={base}
            onFaults={setFaults}
            {...atFault}
          />
        </>
      }
    />
  );
}
