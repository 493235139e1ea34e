import type { Expression, Statement } from '../language/ast.js';
import { dotPath } from '../language/dot-path.js';
import type { TemplateFault } from '../language/mapping-error.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { partsOf } from '../language/walk.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import type { TextInDocument } from './describe-failure-of-text.js';
import { type Doubt, doubtfulNames, lintAt } from './doubtful-names.js';
import { expressionsIn } from './document-texts.js';
import { flattened } from './locate-failure.js';
import { type Known, mayBeNull, mayHoldNull, pathKey, pathsIn } from './may-be-null.js';

interface Scope extends Known {
  /** Parameters of the lambdas around the place. */
  parameters: ReadonlySet<string>;
  /** Whether `this` is a text or number that a match compares, which has no fields. */
  isSubject: boolean;
  /** Whether an error is taken by `|`, `.or()` or `.catch()`. */
  isCaught: boolean;
}

/** Fields whose values customers of a provider name as they like, or of which its next version has more. */
const openNames =
  /(?:^|[_A-Z])(?:priority|severity|urgency|impact|status|state|type|kind|category|tracker|resolution|level)$/i;

/**
 * Warns of names and values in a text of a document that probably mean something else, at the lines of the document; of the first fifty
 * at most. A text of a mapping is also asked what it makes of records that lack something.
 */
export function lintText(one: TextInDocument): TemplateFault[] {
  const isAsked = ({ isOfRecords }: Doubt) => one.isOfMapping === true || isOfRecords !== true;
  return lintAt(one, [...doubtfulNames(one), ...doubtfulValues(one).filter(isAsked)]);
}

/**
 * Warns of fields that `without` keeps from `unmapped` though no text of the mapping document reads them. Elsewhere it is how a field is
 * left out on purpose.
 */
export function lintDrops(texts: readonly TextInDocument[]): TemplateFault[] {
  const read = new Set<string>();
  for (const one of texts) for (const part of expressionsIn(one)) dropsOf(part, read);
  const dropped = texts.map((one) => unmappedIn(one).flatMap((part) => dropsOf(part, new Set())));
  return texts.flatMap((one, index) =>
    lintAt(
      one,
      (dropped[index] ?? [])
        .filter(({ path }) => !dotPath(path).some((name) => read.has(name)))
        .map(({ path, start }) => ({
          message: `nothing reads ${path}, and without() drops it`,
          hint: 'Leave it out here, so that it stays in unmapped, or assign it. To drop it on purpose, use .filter(one -> one.key != "…").',
          start,
        })),
    ),
  );
}

/** Lists what is assigned to `root.unmapped`, or to a variable, which may be assigned to it. */
function unmappedIn({ located: { text }, isQuery }: TextInDocument): Expression[] {
  if (isQuery) return [];
  return flattened(parseTemplate(text).statements).flatMap((one) =>
    one.kind === 'let' || (one.kind === 'assign' && one.path[1] === 'unmapped') ? [one.value] : [],
  );
}

/** Lists the paths that `without` drops, and adds to `read` each name that anything else reads. */
function dropsOf(one: Expression, read: Set<string>): { path: string; start: number }[] {
  if (one.kind === 'field' || one.kind === 'name') read.add(one.name);
  if (one.kind === 'literal' && typeof one.value === 'string')
    for (const name of one.value.split('.')) read.add(name);
  if (one.kind !== 'method' || one.name !== 'without')
    return partsOf(one).flatMap((part) => dropsOf(part, read));
  return [
    ...dropsOf(one.target, read),
    ...one.arguments.flatMap(({ value }) =>
      value.kind === 'literal' && typeof value.value === 'string' && value.value !== '__root__'
        ? [{ path: value.value, start: value.start }]
        : [],
    ),
  ];
}

function doubtfulValues({ located: { text }, isQuery }: TextInDocument): Doubt[] {
  const finder = new Finder();
  const scope: Scope = {
    lets: new Map(),
    parameters: new Set(),
    isSubject: false,
    isCaught: false,
  };
  if (isQuery) finder.look(parseQuery(text), scope);
  else {
    const { statements, maps } = parseTemplate(text);
    for (const body of [statements, ...maps.values()]) finder.run(body, scope);
  }
  return finder.found;
}

class Finder {
  readonly found: Doubt[] = [];

  run(body: readonly Statement[], scope: Scope): void {
    const lets = new Map(scope.lets);
    const at: Scope = { ...scope, lets };
    for (const one of body) {
      if (one.kind === 'if') {
        let inner = at;
        for (const { condition, body: then } of one.branches) {
          this.look(condition, inner);
          inner = testing(inner, condition);
          this.run(then, inner);
        }
        this.run(one.otherwise ?? [], inner);
        continue;
      }
      this.look(one.value, at);
      if (one.kind === 'let') lets.set(one.name, one.value);
    }
  }

  look(one: Expression, scope: Scope): void {
    switch (one.kind) {
      case 'if': {
        let inner = scope;
        for (const { condition, value } of one.branches) {
          inner = testing(inner, condition);
          this.look(condition, inner);
          this.look(value, inner);
        }
        if (one.otherwise) this.look(one.otherwise, inner);
        return;
      }
      case 'match':
        this.match(one, scope);
        return;
      case 'binary': {
        const isOther = one.operator === '|';
        this.look(one.left, isOther ? { ...scope, isCaught: true } : scope);
        const tests = one.operator === '&&' || one.operator === '||';
        this.look(one.right, tests ? testing(scope, one.left) : scope);
        return;
      }
      case 'lambda':
        this.look(one.body, {
          ...scope,
          parameters: new Set([...scope.parameters, one.parameter]),
        });
        return;
      case 'scoped':
        this.look(one.target, scope);
        this.look(one.body, ofAnother(scope));
        return;
      case 'method':
        this.method(one, scope);
        return;
      case 'field':
      case 'name':
        if (scope.isSubject) this.subject(one, scope);
        if (one.kind === 'field') this.look(one.target, { ...scope, isSubject: false });
        return;
      default:
        for (const part of partsOf(one)) this.look(part, scope);
    }
  }

  /** Warns of a field of a text or number: `this` in an arm of a match is its subject. */
  private subject(one: Expression & { kind: 'field' | 'name' }, scope: Scope): void {
    const [root = '', ...names] = pathKey(one)?.split('\0') ?? [];
    if (root !== 'this' && (/^[$@]/.test(root) || scope.parameters.has(root) || root === ''))
      return;
    const path = root === 'this' ? names.join('.') : [root, ...names].join('.');
    this.found.push({
      message: `this is the subject of the match here, and has no field ${path}`,
      hint: `Name the record before it, as by let record = this, and write $record.${path}.`,
      start: one.start,
    });
  }

  private match(one: Expression & { kind: 'match' }, scope: Scope): void {
    const { subject, cases } = one;
    if (subject === undefined) {
      let inner = scope;
      for (const { test, value } of cases) {
        if (test) {
          inner = testing(inner, test);
          this.look(test, inner);
        }
        this.look(value, inner);
      }
      return;
    }
    this.look(subject, scope);
    const isPlain = cases.some(({ test }) => test?.kind === 'literal' && test.value !== null);
    const inner: Scope = { ...testing(scope, subject), isSubject: isPlain };
    for (const { test, value } of cases) {
      if (test) this.look(test, inner);
      this.look(value, inner);
    }
    if (!cases.every(({ test }) => test?.kind === 'literal')) return;
    const names = [...pathsIn(subject)].flatMap((path) => path.split('\0'));
    const isOpen = names.some((name) => openNames.test(name));
    if (isOpen || subject.kind === 'this')
      this.found.push({
        message: 'another value than these is lost: the match has no case _',
        hint: 'Add _ => …, and keep the value that has no case, as in unmapped.',
        start: one.start,
        isOfRecords: true,
      });
  }

  private method(one: Expression & { kind: 'method' }, scope: Scope): void {
    const { name, target } = one;
    const [first] = one.arguments;
    const start = one.end - (first ? one.end - first.value.start : 0);
    if (name === 'get' && first !== undefined && mayBeEmpty(first.value, scope))
      this.found.push({
        message: '.get("") is the whole value, and no field of it',
        hint: 'Write another text for what is missing, such as "none".',
        start,
      });
    const isTime =
      name === 'apply' && first?.value.kind === 'literal' && first.value.value === 'ocsf.time';
    const needsValue = isTime || name === 'map_each' || name === 'unique';
    if (needsValue && !scope.isCaught && mayBeNull(target, scope))
      this.found.push({
        message: isTime
          ? 'ocsf.time fails where the time is missing'
          : `.${name}() fails where the list is missing`,
        hint: isTime
          ? 'Write another time behind it, or | nothing() to leave the field out.'
          : 'Write (… | []) in front of it.',
        start: target.start,
        isOfRecords: true,
      });
    else if (name === 'unique' && !scope.isCaught && mayHoldNull(target, scope))
      this.found.push({
        message: '.unique() fails where an element is null',
        hint: 'Write .filter(one -> one != null) in front of it.',
        start: target.start,
        isOfRecords: true,
      });
    const takes = name === 'or' || name === 'catch';
    this.look(target, takes ? { ...scope, isCaught: true } : scope);
    const parameters = standardEnvironment.methods.get(name)?.parameters ?? [];
    for (const [index, { name: given, value }] of one.arguments.entries()) {
      const parameter = parameters.find((each) => each.name === given) ?? parameters[index];
      const hasOwn = parameter?.type === 'query' && name !== 'or' && value.kind !== 'lambda';
      this.look(value, hasOwn ? ofAnother(scope) : scope);
    }
  }
}

/** Where `this` is another value, such as an element. */
function ofAnother(scope: Scope): Scope {
  return { ...scope, isSubject: false };
}

function testing(scope: Scope, condition: Expression): Scope {
  return { ...scope, tested: { paths: pathsIn(condition), around: scope.tested } };
}

/** True of `x | ""`, a variable with this value, and methods of texts behind it. */
function mayBeEmpty(one: Expression, scope: Known, depth = 0): boolean {
  if (depth > 20) return false;
  if (one.kind === 'literal') return one.value === '';
  if (one.kind === 'binary') return one.operator === '|' && mayBeEmpty(one.right, scope, depth + 1);
  if (one.kind === 'variable') {
    const value = scope.lets.get(one.name);
    return value !== undefined && mayBeEmpty(value, scope, depth + 1);
  }
  if (one.kind !== 'method') return false;
  if (one.name === 'or' || one.name === 'catch')
    return one.arguments.some(({ value }) => mayBeEmpty(value, scope, depth + 1));
  return textMethods.has(one.name) && mayBeEmpty(one.target, scope, depth + 1);
}

const textMethods: ReadonlySet<string> = new Set(['lowercase', 'uppercase', 'trim', 'string']);
