import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorOf } from './attempt.js';
import type { Complete } from './completion.js';
import type { Editor } from './editor/create-editor.js';
import { Below } from './field.js';
import { type FoundFault, markOf } from './found-fault.js';
import { bytes } from './numbers.js';
import { ProblemBox } from './problem.js';

interface Props {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** Texts beyond this number of characters are not taken from the clipboard: the service refuses them. */
  maxPasted: number;
  complete: Complete;
  note: string;
  /** Faults to mark in the lines. */
  faults?: readonly FoundFault[] | undefined;
  /** A text whose differences are shown in the lines. */
  compared?: string | undefined;
  /** Gets the editor once it is loaded. */
  editor: RefObject<Editor | null>;
}

const noFaults: readonly FoundFault[] = [];

/** An editor of YAML and the mapping language. It is large, so it is loaded where somebody needs it. */
export function CodeEditor(props: Props) {
  const { label, value, complete, maxPasted, note, faults = noFaults, compared, editor } = props;
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const onInput = useRef(props.onInput);
  onInput.current = props.onInput;
  const first = useRef({ label, text: value, complete, maxPasted });
  const [isLoaded, setLoaded] = useState(false);
  const [error, setError] = useState<Error>();
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    let isGone = false;
    import('./editor/create-editor.js').then(
      ({ createEditor }) => {
        if (isGone || !host.current) return;
        editor.current = createEditor({
          ...first.current,
          host: host.current,
          onInput: (text) => {
            setRefused(undefined);
            onInput.current(text);
          },
          onRefused: (length) =>
            setRefused(
              `That text has ${bytes(length)}, and this field takes ${bytes(maxPasted)}. Nothing was changed.`,
            ),
        });
        editor.current.describeBy([...(below.current?.children ?? [])]);
        setLoaded(true);
      },
      (failure: unknown) => isGone || setError(errorOf(failure)),
    );
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);
  // Both before anything else can be typed: an effect behind the paint would set an older text, and marks at places of it.
  useLayoutEffect(() => editor.current?.setText(value), [value, isLoaded]);
  useLayoutEffect(
    () => editor.current?.mark(faults.map((one) => markOf(value, one))),
    [faults, isLoaded],
  );
  useEffect(() => editor.current?.setComplete(complete), [complete, isLoaded]);
  useEffect(() => editor.current?.setInvalid(refused !== undefined), [refused, isLoaded]);
  useEffect(() => void editor.current?.compareWith(compared), [compared, isLoaded]);
  return (
    <div class="field code-editor">
      <div class={isLoaded ? 'host' : 'host skeleton'} aria-busy={!isLoaded} ref={host} />
      {error && <ProblemBox error={error} />}
      <div ref={below}>
        <Below id={id} hint={note} fault={refused} />
      </div>
    </div>
  );
}
