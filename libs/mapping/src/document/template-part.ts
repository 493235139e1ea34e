import type { Located } from './read-document.js';

/** A text of a mapping document that runs: a template, the transform of a data type, the match of a select, or a shared template. */
export interface TemplatePart {
  kind: 'template' | 'data type' | 'select' | 'shared template';
  /** The name of the template or data type; of a select, the template that it selects. */
  name: string;
  located: Located;
}

/** `template default` */
export function describePart({ kind, name }: TemplatePart): string {
  return `${kind === 'select' ? 'template' : kind} ${name}`;
}
