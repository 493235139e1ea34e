import type { Expression, Statement } from '../language/ast.js';
import { placeOf, type TemplateFault } from '../language/mapping-error.js';
import { isComparisonWithRoot, parseTemplate } from '../language/parse.js';
import { partsOf } from '../language/walk.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import type { TextInDocument } from './describe-failure-of-text.js';
import { expressionsIn } from './document-texts.js';

/** Something that compiles, and probably means something else, or loses values. */
export interface Doubt {
  message: string;
  hint: string;
  /** Its place in the text. */
  start: number;
  /** Whether it is about what records of strangers may be like. */
  isOfRecords?: boolean;
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

/** Maximum warnings of one text: the API lints texts of strangers, and the line of each is found by walking the text. */
const maxDoubts = 50;

/** Places doubts about a text at the lines of its document, the first fifty at most. */
export function lintAt({ located }: TextInDocument, doubts: readonly Doubt[]): TemplateFault[] {
  return doubts.slice(0, maxDoubts).map(({ message, hint, start }) => {
    const { line, column } = placeOf(located.text, start);
    return { message, hint, ...located.locate(line, column) };
  });
}

/**
 * Finds what people who come from JavaScript or Python write, and what is something else here: an object without quotes around its keys,
 * whose keys are computed; `undefined`, which is a field; a method without its parentheses, which is a field as well; a comparison in
 * place of an assignment.
 */
export function doubtfulNames({ located, isQuery }: TextInDocument): Doubt[] {
  const { text } = located;
  const finder = new Finder(text);
  if (!isQuery) finder.comparison(parseTemplate(text).statements[0]);
  for (const one of expressionsIn({ located, isQuery })) finder.look(one, new Set());
  return finder.found;
}

class Finder {
  readonly found: Doubt[] = [];

  constructor(private readonly text: string) {}

  /** Warns of a template that is `root.kind == "user"` alone: it makes a record of true or false. */
  comparison(statement: Statement | undefined): void {
    // An expression alone is kept as an assignment to root that begins where its value does.
    if (statement?.kind !== 'assign' || statement.start !== statement.value.start) return;
    if (!isComparisonWithRoot(statement.value)) return;
    this.found.push({
      message: 'this is a comparison, and its result is the record',
      hint: 'An assignment has one =; a condition stands in if a == b { … }.',
      start: statement.start,
    });
  }

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
    if (this.isBehindBracket(key.start)) return false; // computed on purpose
    this.found.push({
      message: `this key is the value of the field ${key.name} of the input`,
      hint: `Write "${key.name}": … for a key of that name, or (this.${key.name}): … for its value.`,
      start: key.start,
    });
    return true;
  }

  private isBehindBracket(start: number): boolean {
    let at = start - 1;
    while (/\s/.test(this.text.charAt(at))) at -= 1;
    return this.text.charAt(at) === '(';
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
