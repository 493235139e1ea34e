import { parseTemplate } from './parse.js';
import { printTemplate } from './print.js';

/** A template laid out one way; its comments are not kept. @throws MappingError */
export function formatTemplate(source: string): string {
  return printTemplate(parseTemplate(source));
}
