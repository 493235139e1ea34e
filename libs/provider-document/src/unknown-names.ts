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
  const ofSteps = fields.filter(({ names: [first] }) => first === 'steps' || first === 'answers');
  return ofSteps.flatMap(({ names: [first, step = ''], offsets: [, at = 0], use }) => {
    const when = conditional?.get(step);
    if (when === undefined || text.includes(when)) return [];
    if (use === 'other' || (use === 'value' && kind !== 'value')) return [];
    if (ofSteps.some((one) => one.names[1] === step && one.use === 'other')) return []; // tested
    return {
      ...placeOf(text, at),
      message: `this.${first}.${step} is null where its \`when\` leaves the step out`,
      hint: `Test it (\`if this.steps.${step} != null\`), or write what stands in for it: \`.or(…)\`.`,
    };
  });
}

function faultOf(
  { names: [first = '', second, third], offsets: [at = 0, below = 0, lowest = 0] }: InputField,
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
  if (known === undefined || second === undefined || second === '*') return undefined;
  if (known.includes(second))
    return first === 'answers' ? faultOfAnswer(second, third, placeOf(text, lowest)) : undefined;
  return {
    ...placeOf(text, below),
    message: `this.${first}.${second} does not exist here`,
    hint:
      suggestName(second, known) ??
      (known.length === 0 ? `this.${first} has no fields.` : `The names are ${known.join(', ')}.`),
  };
}

const answerNames = ['status', 'headers'];

/** Finds a part that no answer has. A step with `each` has a list of answers, whose elements have numbers. */
function faultOfAnswer(
  step: string,
  name: string | undefined,
  place: { line: number; column: number },
): TemplateFault | undefined {
  if (name === undefined || /^(\*|-?\d+)$/.test(name) || answerNames.includes(name))
    return undefined;
  return {
    ...place,
    message: `this.answers.${step}.${name} does not exist here`,
    hint:
      suggestName(name, answerNames) ??
      `An answer has status and headers; its body is this.steps.${step}.`,
  };
}
