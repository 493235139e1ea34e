import { RequestError } from '../../api/client.js';
import { ProblemBox } from '../../parts/problem.js';
import { sentence } from '../../parts/sentence.js';
import { type Position, placeIn } from './text-place.js';

interface Props {
  error: Error;
  text: string;
  onShow: (position: Position) => void;
}

/** Faults that the service finds in a document, each at its place; an error without a place as the problem that it is. */
export function Faults({ error, text, onShow }: Props) {
  const found = placesOf(error);
  if (found.length === 0) return <ProblemBox error={error} />;
  return (
    <div role="alert">
      {found.map((one, index) => (
        <FaultPlace key={index} {...one} text={text} onShow={onShow} />
      ))}
    </div>
  );
}

/** Each place once: the first fault is the problem's own, and may be among its causes too. */
function placesOf(error: Error): { message: string; position: Position }[] {
  if (!(error instanceof RequestError)) return [];
  const { problem } = error;
  const found = new Map<string, { message: string; position: Position }>();
  for (const { context, message } of [problem, ...(problem.cause ?? [])]) {
    const position = context?.parameter?.position;
    if (!position) continue;
    const key = `${position.line}:${position.column}`;
    if (!found.has(key))
      found.set(key, { message: message.replace(/^.*?line \d+, column \d+: /, ''), position });
  }
  return [...found.values()];
}

interface PlaceProps {
  message: string;
  position: Position | undefined;
  text: string;
  onShow: (position: Position) => void;
}

const maxBefore = 60;

/** A fault with the line that it is in, and a caret below its character. */
export function FaultPlace({ message, position, text, onShow }: PlaceProps) {
  if (!position) return <p class="wrong">{sentence(message)}</p>;
  const { line, before } = placeIn(text, position);
  const start = Math.max(0, before.length - maxBefore);
  return (
    <div class="fault">
      <p class="wrong">
        {sentence(message)}{' '}
        <button type="button" class="small" onClick={() => onShow(position)}>
          Line {position.line}, column {position.column}
        </button>
      </p>
      <pre role="group" tabIndex={0} aria-label={`Line ${position.line}`}>
        {line.slice(start, start + 2 * maxBefore)}
        {'\n'}
        <span class="unseen-text">{before.slice(start)}</span>
        <b aria-hidden="true">^</b>
      </pre>
    </div>
  );
}
