import { faultsOf } from './found-fault.js';
import { ProblemBox } from './problem.js';
import { sentence } from './sentence.js';
import { quickFix, type Replacement } from './quick-fix.js';
import { type Position, placeIn } from './text-place.js';

/** Changes and views that the place of a fault offers. */
export interface AtFault {
  onShow: (position: Position) => void;
  /** Applies what the hint of a fault proposes; without it no fault offers that. */
  onFix?: (replacement: Replacement) => void;
}

interface Props extends AtFault {
  error: Error;
  text: string;
}

/** Faults that the service finds in a document, each at its place; an error without a place as the problem that it is. */
export function Faults({ error, text, ...atFault }: Props) {
  const found = faultsOf(error);
  if (found.length === 0) return <ProblemBox error={error} />;
  return (
    <div role="alert">
      {found.map((one, index) => (
        <FaultPlace key={index} {...one} {...atFault} text={text} />
      ))}
    </div>
  );
}

interface PlaceProps extends AtFault {
  message: string;
  hint?: string | undefined;
  position: Position | undefined;
  text: string;
}

const maxBefore = 60;

/** A fault with its remedy, the line that it is in, and a caret below its character. */
export function FaultPlace({ message, hint, position, text, onShow, onFix }: PlaceProps) {
  if (!position) return <p class="wrong">{sentence(message)}</p>;
  const { line, before } = placeIn(text, position);
  const start = Math.max(0, before.length - maxBefore);
  const fix = onFix && quickFix(text, { message, hint, position });
  return (
    <div class="fault">
      <p class="wrong">
        {sentence(message)}{' '}
        <button type="button" class="small" onClick={() => onShow(position)}>
          Line {position.line}, column {position.column}
        </button>
      </p>
      {hint !== undefined && (
        <p class="hint">
          {hint}{' '}
          {fix && (
            <button type="button" class="small" onClick={() => onFix(fix)}>
              Replace by {fix.text}
            </button>
          )}
        </p>
      )}
      <pre role="group" tabIndex={0} aria-label={`Line ${position.line}`}>
        {line.slice(start, start + 2 * maxBefore)}
        {'\n'}
        <span class="unseen-text">{before.slice(start)}</span>
        <b aria-hidden="true">^</b>
      </pre>
    </div>
  );
}
