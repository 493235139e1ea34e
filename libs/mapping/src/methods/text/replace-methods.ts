import { splitText } from '../../language/find-text.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asArray, asString } from '../../language/values.js';
import { onText, textOf } from '../text.js';
import { textParameter } from '../text-method.js';
import { flat, replaceNanoseconds } from '../costs.js';

/** Replaces every match. String.replaceAll takes four times as long where there are many. */
function replaceAll(value: string, old: string, fresh: string): string {
  return old === ''
    ? [...value].map((rune) => fresh + rune).join('') + fresh
    : splitText(value, old).join(fresh);
}

/** Replaces after looking how long the text can become. */
function replaced(value: string, old: string, fresh: string, run: Run): string {
  if (old === '') run.spend(2 * value.length);
  const grows = fresh.length - old.length;
  const maxMatches = old === '' ? value.length + 1 : Math.floor(value.length / old.length);
  if (grows > 0 && maxMatches > 0) run.string(value.length + maxMatches * grows);
  return replaceAll(value, old, fresh);
}

function replaceMethod(name: string): Method {
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: replaceNanoseconds },
    returns: 'part',
    inPlace: { form: 'replace' },
    description: 'Every occurrence of a text by another.',
    parameters: [textParameter('old'), textParameter('new')],
    examples: [[`root = this.${name}("a", "o")`, '"banana"', '"bonono"']],
    run: (target, [old, fresh], run) => {
      const [from, to] = [textOf(old), textOf(fresh)];
      return onText((value) => replaced(value, from, to, run))(target);
    },
  };
}

function replaceManyMethod(name: string): Method {
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: { ...flat, arguments: 'deep', nanoseconds: replaceNanoseconds, own: 'size' },
    description: 'Pairs of texts, each replaced by the next.',
    examples: [[`root = this.${name}(["a", "b", "c", "d"])`, '"abc"', '"bbd"']],
    parameters: [{ name: 'values', type: 'array' }],
    run: (target, [values], run) => {
      const all = asArray(values).map((one) => asString(one));
      if (all.length % 2 !== 0) throw new RunError('the replacements must come in pairs');
      return onText((value) => {
        let result = value;
        for (let index = 0; index < all.length; index += 2) {
          run.spend(result.length >> 5);
          result = replaced(result, all[index] as string, all[index + 1] as string, run);
        }
        return result;
      })(target);
    },
  };
}

export const replaceMethods: readonly Method[] = [
  replaceMethod('replace_all'),
  replaceMethod('replace'),
  replaceManyMethod('replace_all_many'),
  replaceManyMethod('replace_many'),
];
