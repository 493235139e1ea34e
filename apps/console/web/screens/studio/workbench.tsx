import { useEffect, useRef, useState } from 'preact/hooks';
import { CodeArea, replaceText } from '../../parts/code-area.js';
import { type Draft, forgetDraft, keepDraft, keptDraft } from './drafts.js';
import type { AtFault } from './faults.js';
import { Pane, Panes } from './panes.js';
import { Preview } from './preview.js';
import { Record } from './record.js';
import { Save } from './save.js';
import type { Mapping, Subject } from './subject.js';
import { showPlace } from './text-place.js';
import { useCompletion } from './use-completion.js';

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
    return { document, sample: kept?.sample ?? '{}', base: stored };
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
  const editor = useRef<HTMLDivElement>(null);
  const area = () => editor.current?.querySelector('textarea');
  const atFault: AtFault = {
    onShow: (position) => showPlace(area(), position),
    onFix: ({ from, to, text }) => {
      const field = area();
      if (field) replaceText(field, from, to, text);
    },
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
        <Pane name="document" title="Editor" onFocusIn={() => setEdited(true)}>
          <div ref={editor}>
            <CodeArea
              label="Document"
              value={document}
              onInput={(text) => change({ document: text })}
              maxPasted={maxDocument}
              complete={complete}
              note="YAML. In a template, this is the record and root is what becomes of it. Ctrl-Space lists what may stand at the cursor."
            />
          </div>
          <Save
            subject={subject}
            base={base}
            document={document}
            onSaved={saved}
            onEarlier={(text) => change({ document: text })}
            onTaken={(theirs) => change({ base: theirs, document: theirs.data })}
            {...atFault}
          />
        </Pane>
      }
      others={
        <>
          <Pane name="record" title="Record">
            <Record
              subject={subject}
              sample={sample}
              onChange={(text) => change({ sample: text })}
            />
          </Pane>
          <Preview
            subject={subject}
            document={document}
            sample={sample}
            stored={base}
            {...atFault}
          />
        </>
      }
    />
  );
}
