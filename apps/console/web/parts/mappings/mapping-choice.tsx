import { type ChoiceProps, RecordChoice } from '../record-choice.js';

/** Chooses a stored mapping among all. @param by what the choice is told as */
export function MappingChoice(props: ChoiceProps & { by: 'id' | 'name' }) {
  return (
    <RecordChoice
      {...props}
      operation="mappings_list"
      kind="mapping"
      detailOf={({ name }) => name}
    />
  );
}
