import {
  type InputField,
  inputFieldsOfQuery,
  inputFieldsOfTemplate,
  placeOf,
  suggestName,
  type TemplateFault,
} from '#mapping';
import type { VisibleNames } from './visible-names.js';

/** Finds the names that an expression reads from `this` and that cannot exist, such as `this.steps.lst`. */
export function unknownNames(
  text: string,
  kind: 'query' | 'template',
  names: VisibleNames,
): TemplateFault[] {
  const fields = kind === 'query' ? inputFieldsOfQuery(text) : inputFieldsOfTemplate(text);
  return fields.flatMap((field) => faultOf(field, text, names) ?? []);
}

function faultOf(
  { names: [first = '', second], offsets: [at = 0, below = 0] }: InputField,
  text: string,
  names: VisibleNames,
): TemplateFault | undefined {
  if (!Object.hasOwn(names, first)) {
    const known = Object.keys(names);
    return {
      ...placeOf(text, at),
      message: `this.${first} does not exist here`,
      hint: suggestName(first, known) ?? `The names are ${known.join(', ')}.`,
    };
  }
  const known = names[first];
  if (known === undefined || second === undefined || second === '*' || known.includes(second))
    return undefined;
  return {
    ...placeOf(text, below),
    message: `this.${first}.${second} does not exist here`,
    hint:
      suggestName(second, known) ??
      (known.length === 0 ? `this.${first} has no fields.` : `The names are ${known.join(', ')}.`),
  };
}
