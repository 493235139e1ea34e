import type { OptionalPackage } from '../language/optional-package.js';
import type { Method } from '../language/specification.js';
import { onText } from './text.js';

/** A parameter that takes a text. */
export const textParameter = (name: string) => ({ name, type: 'string' }) as const;

/** A method without parameters that makes another text of a text. */
export function textMethod(
  name: string,
  description: string,
  change: (value: string) => string,
  examples: Method['examples'],
  needs?: OptionalPackage,
): Method {
  const apply = onText(change);
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description,
    examples,
    ...(needs && { needs }),
    run: (target) => apply(target),
  };
}
