import { RunError } from '../../language/run-error.js';
import type { Run } from '../../language/run.js';
import type { Method } from '../../language/specification.js';
import type { Value } from '../../language/values.js';
import { onText, textOf } from '../text.js';
import { textParameter } from '../text-method.js';
import { flat, replaceNanoseconds } from '../costs.js';

/** Writes a text between quotes, with the escape before each quote and each escape in it. */
function quoteWith(value: string, quote: string, escape: string, run: Run): string {
  let written = value;
  // The escape first, or those that are written before quotes would be escaped too.
  for (const one of escape === quote ? [quote] : [escape, quote])
    written = written.split(one).join(escape + one);
  run.string(written.length + 2 * quote.length);
  return quote + written + quote;
}

function markOf(value: Value, name: string): string {
  const text = textOf(value);
  if (text.length === 1) return text;
  throw new RunError(`the ${name} of quote_with must be one character`);
}

export const quoteMethods: readonly Method[] = [
  {
    name: 'quote_with',
    check: ([quote, escape]) => void [markOf(quote, 'quote'), markOf(escape, 'escape')],
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: replaceNanoseconds, own: 'size' },
    returns: 'made',
    description:
      'The text in quotes, as a query language reads it: the second argument is written before each quote and each of itself. A language that doubles its quotes has the quote there.',
    parameters: [textParameter('quote'), textParameter('escape')],
    examples: [
      [`root = "name = " + this.quote_with("'", "\\\\")`, `"O'Brien"`, `"name = 'O\\\\'Brien'"`],
      [`root = "name eq " + this.quote_with("'", "'")`, `"O'Brien"`, `"name eq 'O''Brien'"`],
    ],
    run: (target, [quote, escape], run) => {
      const [mark, before] = [markOf(quote, 'quote'), markOf(escape, 'escape')];
      return onText((value) => quoteWith(value, mark, before, run))(target);
    },
  },
];
