import { humanize } from '../forms/schema.js';
import { CheckBoxes } from '../parts/check-boxes.js';
import type { MappingTemplate } from './session.js';
import { words } from './words.js';

interface Props {
  choices: readonly MappingTemplate[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A text that tells one choice from another. */
export function keyOf({ resource, source, destination }: MappingTemplate): string {
  return JSON.stringify([resource, source, destination]);
}

/** Further fields of the records that the host offers to take over, by the names of what they become. */
export function MappingChoices({ choices, chosen, onChange }: Props) {
  if (choices.length === 0) return null;
  const named = choices.map((one) => {
    const name = humanize(one.destination.split('.').at(-1) ?? one.destination);
    const text = (
      <span>
        <bdi>{name}</bdi>{' '}
        <small>
          <bdi>{one.source}</bdi>
        </small>
      </span>
    );
    return [keyOf(one), text] as const;
  });
  return (
    <fieldset>
      <legend>{words.value.alsoTake}</legend>
      <CheckBoxes choices={named} chosen={chosen} onChange={onChange} />
    </fieldset>
  );
}
