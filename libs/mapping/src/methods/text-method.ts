import type { Method } from '../language/specification.js';
import { onText } from './text.js';

/** A parameter that takes a text. */
export const textParameter = (name: string) => ({ name, type: 'string' }) as const;

/** A method without parameters that makes another text of a text. */
export function textMethod(
  name: string,
  description: string,
  facts: Pick<Method, 'cost' | 'examples' | 'inPlace' | 'needs' | 'returns'>,
  change: (value: string) => string,
): Method {
  const apply = onText(change);
  return {
    name,
    category: 'string',
    purity: 'pure',
    description,
    ...facts,
    run: (target) => apply(target),
  };
}
