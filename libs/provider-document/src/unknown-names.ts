import {
  type InputField,
  inputFieldsOfQuery,
  inputFieldsOfTemplate,
  placeOf,
  suggestName,
  type TemplateFault,
} from '@onefold/mapping';
import { conditionalSteps, type VisibleNames } from './visible-names.js';

/** The place of an expression: `value` is a query that must have a value, such as that of `rows`. */
export type ExpressionKind = 'query' | 'value' | 'template';

/** Finds the names that an expression reads from `this` and that cannot exist, such as `this.steps.lst`, or have no value. */
export function unknownNames(
  text: string,
  kind: ExpressionKind,
  names: VisibleNames,
): TemplateFault[] {
  const fields = kind === 'template' ? inputFieldsOfTemplate(text) : inputFieldsOfQuery(text);
  return [
    ...fields.flatMap((field) => faultOf(field, text, names) ?? []),
    ...skippedSteps(fields, text, kind, names),
  ];
}

/** Finds results of steps that are null where `when` leaves the step out, in places where null always fails. */
function skippedSteps(
  fields: readonly InputField[],
  text: string,
  kind: ExpressionKind,
  names: VisibleNames,
): TemplateFault[] {
  const conditional = names[conditionalSteps];
  const ofSteps = fields.filter(({ names: [first] }) => first === 'steps');
  return ofSteps.flatMap(({ names: [, step = ''], offsets: [, at = 0], use }) => {
    const when = conditional?.get(step);
    if (when === undefined || text.includes(when)) return [];
    if (use === 'other' || (use === 'value' && kind !== 'value')) return [];
    if (ofSteps.some((one) => one.names[1] === step && one.use === 'other')) return []; // tested
    return {
      ...placeOf(text, at),
      message: `this.steps.${step} is null where its \`when\` leaves the step out`,
      hint: `Test it (\`if this.steps.${step} != null\`), or write what stands in for it: \`.or(…)\`.`,
    };
  });
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
