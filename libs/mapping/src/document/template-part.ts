import type { Located } from './read-document.js';

/**
 * A text of a mapping document that runs: a template, the transform of a data type, the match of a select, or a shared template. Or an
 * expression or statements in a document of another kind, where they have no name.
 */
export interface TemplatePart {
  kind: 'template' | 'data type' | 'select' | 'shared template' | 'expression' | 'statements';
  /** The name of the template or data type; of a select, the template that it selects; empty for what has none. */
  name: string;
  located: Located;
}

/** `template default`; undefined for what has no name. */
export function describePart({ kind, name }: TemplatePart): string | undefined {
  if (name === '') return undefined;
  return `${kind === 'select' ? 'template' : kind} ${name}`;
}
