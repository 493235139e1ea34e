import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Complete, Completion, Completions } from './completion.js';
import { TextArea, type TextAreaProps } from './text-area.js';

type Props = Omit<TextAreaProps, 'isCode' | 'list'> & { complete: Complete };

interface Open extends Completions {
  /** Index of the option that Enter takes. */
  marked: number;
  /** End of what was typed of the name. */
  to: number;
}

/** Keys that change nothing and leave the cursor where it is. */
const still = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'AltGraph']);

/**
 * Lines of code, with a list of what may stand at the cursor: it opens while somebody types, and by Ctrl-Space. Enter and Tab take the marked
 * one, Escape closes the list; without a list, Tab leaves the field as everywhere.
 */
export function CodeArea({ complete, ...props }: Props) {
  const id = useId();
  const whole = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<Open>();
  const isTaking = useRef(false);
  /** Whether the last thing that somebody did asks for the list. */
  const isAsked = useRef(false);
  const area = () => whole.current?.querySelector('textarea') ?? undefined;
  const close = () => {
    isAsked.current = false;
    setOpen(undefined);
  };
  const look = () => {
    isAsked.current = true;
    const { value = '', selectionStart: to = 0, selectionEnd: end } = area() ?? {};
    const found = to === end ? complete(value, to) : undefined;
    setOpen(
      found === undefined || found.options.length === 0 ? undefined : { ...found, marked: 0, to },
    );
  };
  useEffect(() => {
    // Keys and methods are loaded behind the page, so somebody may have typed before they were there.
    if (isAsked.current) look();
  }, [complete]);
  const take = (option: Completion | undefined) => {
    const field = area();
    if (!open || !field || option === undefined) return;
    const text = option.inserted ?? option.name;
    close();
    isTaking.current = true;
    replaceText(field, open.from, open.to, text);
    isTaking.current = false;
    const cursor = open.from + (option.cursor ?? text.length);
    field.setSelectionRange(cursor, cursor);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      look();
    }
    if (event.isComposing || still.has(event.key)) return;
    if (!open) {
      if (event.key.length > 1 && event.key !== 'Backspace') isAsked.current = false;
      return;
    }
    const { options, marked, from, to } = open;
    const step = steps[event.key];
    const option = options[marked];
    const isTaken = event.key === 'Enter' || event.key === 'Tab';
    const typed = area()?.value.slice(from, to);
    if (step !== undefined)
      setOpen({ ...open, marked: (marked + step + options.length) % options.length });
    else if (isTaken && typed !== (option?.inserted ?? option?.name)) take(option);
    else if (event.key !== 'Escape') {
      if (event.key.length > 1 && event.key !== 'Backspace') close();
      return;
    } else close();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="code-area"
      ref={whole}
      onKeyDown={onKeyDown}
      onInput={(event) => {
        if (isTaking.current) return;
        const { inputType, data } = event as InputEvent;
        const isTyped = inputType === 'insertText' && [...(data ?? '')].length === 1;
        if (isTyped || (open && inputType === 'deleteContentBackward')) look();
        else close();
      }}
      onFocusOut={close}
      onPointerDown={({ target }) => {
        if (target instanceof HTMLTextAreaElement) close();
      }}
    >
      <TextArea
        {...props}
        isCode
        list={{ id: `${id}-list`, ...(open ? { marked: `${id}-${open.marked}` } : {}) }}
      />
      {open && <Options id={id} open={open} area={area()} onTake={take} />}
    </div>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Replaces a part of the text as if it were typed, so that the browser can undo it. */
export function replaceText(field: HTMLTextAreaElement, from: number, to: number, text: string) {
  field.focus();
  field.setSelectionRange(from, to);
  // The only way that keeps the browser's own undo; browsers that do not have it for text fields return false.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

interface OptionsProps {
  id: string;
  open: Open;
  area: HTMLTextAreaElement | undefined;
  onTake: (option: Completion) => void;
}

function Options({ id, open: { options, marked, from }, area, onTake }: OptionsProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (area && box.current) putBelow(box.current, area, from);
  }, [area, from]);
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [marked, options]);
  const option = options[marked];
  return (
    // The field keeps the focus while the list is used by the pointer.
    <div class="options" ref={box} onMouseDown={(event) => event.preventDefault()}>
      <ul role="listbox" id={`${id}-list`} aria-label="What may stand here" class="found">
        {options.map((one, index) => (
          <li
            key={one.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === marked}
            onClick={() => onTake(one)}
          >
            <code>{one.name}</code> <small>{one.detail}</small>
          </li>
        ))}
      </ul>
      {option?.description !== undefined && (
        <div class="about">
          <p>{option.description}</p>
          {option.example !== undefined && <pre>{option.example}</pre>}
        </div>
      )}
    </div>
  );
}

/** Puts a box below the line of a place in the text, within the width of the field. */
function putBelow(box: HTMLElement, area: HTMLTextAreaElement, offset: number) {
  const style = getComputedStyle(area);
  const before = area.value.slice(0, offset).split('\n');
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return;
  pen.font = style.font;
  const { width } = pen.measureText(before.at(-1) ?? '');
  const size = (name: 'paddingLeft' | 'paddingTop' | 'lineHeight') =>
    Number.parseFloat(style[name]);
  const left = area.offsetLeft + size('paddingLeft') + width - area.scrollLeft;
  const maxLeft = area.offsetLeft + area.offsetWidth - box.offsetWidth;
  const top = size('paddingTop') + before.length * size('lineHeight') - area.scrollTop;
  box.style.left = `${Math.max(0, Math.min(left, maxLeft))}px`;
  box.style.top = `${area.offsetTop + Math.min(top, area.offsetHeight)}px`;
}
