import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Limits {
  min: number;
  max: number;
  step: number;
  initial: number;
}

const height = { min: 120, max: 1_200, step: 40 };
/** Heights in pixels; the width of the first column in percent. */
const limits = {
  columns: { min: 25, max: 75, step: 5, initial: 50 },
  document: { ...height, initial: 340 },
  // With these, record, result and their difference are on a screen of 1,280 × 800.
  record: { ...height, min: 80, initial: 80 },
  result: { ...height, initial: 300 },
  chain: { ...height, initial: 240 },
} satisfies Record<string, Limits>;

type Size = keyof typeof limits;

const key = 'onefold.studio';
/** Sizes that somebody has chosen, for as long as the tab is open. */
const sizes = signal(readSizes());

function readSizes(): Partial<Record<Size, number>> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(kept).filter(
        ([name, value]) => Object.hasOwn(limits, name) && typeof value === 'number',
      ),
    );
  } catch {
    return {}; // not ours: as if nothing was chosen
  }
}

const sizeOf = (name: Size) => sizes.value[name] ?? limits[name].initial;

function resize(name: Size, wanted: number) {
  const { min, max } = limits[name];
  sizes.value = { ...sizes.value, [name]: Math.round(Math.min(max, Math.max(min, wanted))) };
  sessionStorage.setItem(key, JSON.stringify(sizes.value));
}

interface PanesProps {
  first: ComponentChildren;
  others: ComponentChildren;
}

/** One pane beside the others, with a separator between them; below each other where the window is narrow. */
export function Panes({ first, others }: PanesProps) {
  const id = useId();
  return (
    <div class="panes" style={{ '--first': `${sizeOf('columns')}%` }}>
      <div id={id}>{first}</div>
      <Separator name="columns" label="Width of the editor" controls={id} />
      <div class="stack">{others}</div>
    </div>
  );
}

interface PaneProps {
  name: Exclude<Size, 'columns'>;
  title: string;
  /** Buttons beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  onFocusIn?: () => void;
}

/** A card whose text field, or else whose part of the class `scrolls`, has the height that somebody chooses. */
export function Pane({ name, title, actions, children, onFocusIn }: PaneProps) {
  const id = useId();
  return (
    <section
      class="card pane"
      id={`${id}-pane`}
      aria-labelledby={id}
      style={{ '--height': `${sizeOf(name)}px` }}
      onFocusIn={onFocusIn}
    >
      <div class="title">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
      <Separator name={name} label={`Height of ${title}`} controls={`${id}-pane`} />
    </section>
  );
}

interface SeparatorProps {
  name: Size;
  label: string;
  /** Id of the element that it resizes. */
  controls: string;
}

/** A line between panes that is moved by the pointer, or by the arrow keys, Home and End. */
function Separator({ name, label, controls }: SeparatorProps) {
  const { min, max, step } = limits[name];
  const isUpright = name === 'columns';
  const now = sizeOf(name);
  const steps: Readonly<Record<string, number>> = isUpright
    ? { ArrowLeft: now - step, ArrowRight: now + step, Home: min, End: max }
    : { ArrowUp: now - step, ArrowDown: now + step, Home: min, End: max };
  const onPointerDown = (event: PointerEvent) => {
    const line = event.currentTarget as HTMLElement;
    const { width = 1 } = line.parentElement?.getBoundingClientRect() ?? {};
    line.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }: PointerEvent) =>
      resize(
        name,
        isUpright ? now + ((clientX - event.clientX) / width) * 100 : now + clientY - event.clientY,
      );
    line.addEventListener('pointermove', move);
    const end = () => line.removeEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', end, { once: true });
  };
  return (
    <div
      class="separator"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-controls={controls}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-valuenow={now}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={isUpright ? `${now} %` : `${now} pixels`}
      onKeyDown={(event) => {
        const wanted = steps[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        resize(name, wanted);
      }}
      onPointerDown={onPointerDown}
    />
  );
}
