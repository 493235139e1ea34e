import type { OperationId } from '#contract';
import { Action } from './action.js';
import { LineDifference } from './line-difference.js';

interface Props {
  /** Names what was saved, such as "this mapping". */
  what: string;
  theirs: string;
  mine: string;
  /** Saves mine. */
  operation: OperationId;
  onMine: () => void;
  onTheirs: () => void;
}

/** Says that somebody else has saved a text meanwhile, shows the lines that differ, and lets people choose. */
export function TextConflict({ what, theirs, mine, operation, onMine, onTheirs }: Props) {
  return (
    <div class="problem" role="alert">
      <p class="remedy">Somebody else has saved {what} meanwhile. Nothing is lost.</p>
      <p>Lines with − are theirs alone, lines with + are yours alone.</p>
      <LineDifference before={theirs} after={mine} label="What they have saved, and yours" />
      <p class="buttons">
        <Action operation={operation} onClick={onMine}>
          Save mine over it
        </Action>
        <button type="button" onClick={onTheirs}>
          Take theirs, drop mine
        </button>
      </p>
    </div>
  );
}
