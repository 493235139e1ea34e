import { CheckBoxes } from '../../parts/check-boxes.js';

const metaFunctions: Record<string, string> = {
  'api/response(primary)': 'With the provider’s own answer',
  'mapping/chains([*])': 'With the mappings that ran',
  'mapping/trace(3)': 'With three records on their way through the mappings',
};

interface MetaProps {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses what an answer has beside its result. */
export function MetaFunctions({ chosen, onChange }: MetaProps) {
  return (
    <fieldset class="row">
      <legend>Beside the result</legend>
      <CheckBoxes choices={Object.entries(metaFunctions)} chosen={chosen} onChange={onChange} />
    </fieldset>
  );
}
