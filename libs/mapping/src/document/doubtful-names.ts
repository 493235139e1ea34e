import type { Expression } from '../language/ast.js';
import { placeOf, type TemplateFault } from '../language/mapping-error.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { expressionsOf, partsOf } from '../language/walk.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import type { TextInDocument } from './describe-failure-of-text.js';

/** A name that compiles, and probably means something else. */
interface DoubtfulName {
  message: string;
  hint: string;
  /** Its place in the text. */
  start: number;
}

/** Words of other languages: here each of them is a field of `this`. */
const otherWords: Readonly<Record<string, string>> = {
  undefined: 'Nothing is null; a field is left out by deleted().',
  nil: 'Nothing is null; a field is left out by deleted().',
  None: 'Nothing is null; a field is left out by deleted().',
  NULL: 'Nothing is null; a field is left out by deleted().',
  True: 'Write true.',
  False: 'Write false.',
  NaN: 'A number that cannot be read is replaced by .number(0), or taken by .catch(null).',
};

/** Methods without an underscore in their names, whose names fields seldom have. */
const plainMethods: ReadonlySet<string> = new Set(
  'length lowercase uppercase capitalize trim flatten ceil floor enumerated unique'.split(' '),
);

/** Warns of such names in a text of a document, at the lines of the document. */
export function lintText({ located, isQuery }: TextInDocument): TemplateFault[] {
  return doubtfulNames(located.text, isQuery).map(({ message, hint, start }) => {
    const { line, column } = placeOf(located.text, start);
    return { message, hint, ...located.locate(line, column) };
  });
}

/**
 * Finds what people who come from JavaScript or Python write, and what is something else here: an object without quotes around its keys,
 * whose keys are computed; `undefined`, which is a field; a method without its parentheses, which is a field as well.
 */
function doubtfulNames(text: string, isQuery: boolean): DoubtfulName[] {
  const bodies = isQuery ? [parseQuery(text)] : expressionsIn(text);
  const finder = new Finder(text);
  for (const one of bodies) finder.look(one, new Set());
  return finder.found;
}

function expressionsIn(text: string): Expression[] {
  const { statements, maps } = parseTemplate(text);
  return [statements, ...maps.values()].flatMap(expressionsOf);
}

class Finder {
  readonly found: DoubtfulName[] = [];

  constructor(private readonly text: string) {}

  /** @param named the parameters of the lambdas around it */
  look(one: Expression, named: ReadonlySet<string>): void {
    if (one.kind === 'name') this.name(one, named);
    if (one.kind === 'field') this.field(one);
    if (one.kind === 'object') {
      for (const { key, value } of one.entries) {
        if (!this.key(key, named)) this.look(key, named);
        this.look(value, named);
      }
      return;
    }
    const inner = one.kind === 'lambda' ? new Set([...named, one.parameter]) : named;
    for (const part of partsOf(one)) this.look(part, inner);
  }

  /** @returns whether it is a key that is doubtful */
  private key(key: Expression, named: ReadonlySet<string>): boolean {
    if (key.kind !== 'name' || named.has(key.name)) return false;
    if (/\(\s*$/.test(this.text.slice(0, key.start))) return false; // computed on purpose
    this.found.push({
      message: `this key is the value of the field ${key.name} of the input`,
      hint: `Write "${key.name}": … for a key of that name, or (this.${key.name}): … for its value.`,
      start: key.start,
    });
    return true;
  }

  private name({ name, start }: Expression & { kind: 'name' }, named: ReadonlySet<string>): void {
    if (named.has(name) || !Object.hasOwn(otherWords, name)) return;
    this.found.push({
      message: `${name} is read as the field this.${name} of the input`,
      hint: otherWords[name] as string,
      start,
    });
  }

  private field({ target, name, end }: Expression & { kind: 'field' }): void {
    if (!isForgotten(name) || this.text.slice(target.end, end).includes('"')) return;
    this.found.push({
      message: `.${name} is read as a field of that name`,
      hint: `Did you mean .${name}()? Write ."${name}" for a field of that name.`,
      start: end - name.length,
    });
  }
}

/** Whether somebody who writes the name of this method without parentheses has probably forgotten them. */
function isForgotten(name: string): boolean {
  const method = standardEnvironment.methods.get(name);
  if (method === undefined || !(plainMethods.has(name) || name.includes('_'))) return false;
  return (method.parameters ?? []).every((one) => one.optional || one.default !== undefined);
}
