import type { Expression, Statement, Template } from '../language/ast.js';
import type { Environment } from '../language/environment.js';
import { extendedPaths, mentionsRoot, usesDynamicVariables } from '../language/walk.js';
import { Emitter } from './emitter.js';
import { generateExpression } from './generate-expression.js';
import { generatePlainObject } from './generate-values.js';
import type { Generation, Scope } from './generation.js';
import { type Js, joined, js } from './javascript.js';
import { type Operand, operand } from './operand.js';
import { canWait, collides, isSolid, type Tree, treeOf, type Waiting } from './root-group.js';

const selfName = js`self`;
const scope: Scope = { self: operand(selfName, 'any', 'perhaps'), names: null };

/** The statements of a template and of its maps, each body a function. */
export class TemplateGenerator {
  private readonly emitter = new Emitter();
  private readonly generation: Generation;
  private prefixes: string[] = [];
  private waiting: Waiting[] = [];
  /** Assignments wait while root is fresh, when none can fail. */
  private mayWait = false;
  private extended: ReadonlySet<string> = new Set();
  /** The variables of a body by name; undefined where they are looked up by names that come with the data. */
  private variables: Map<string, Js> | undefined;
  private at = 0;

  constructor(environment: Environment) {
    this.generation = {
      emitter: this.emitter,
      environment,
      expression: (expression, within) => generateExpression(this.generation, expression, within),
      variable: (name) => this.variable(name),
    };
  }

  /** The values that the code names. */
  get constants(): readonly unknown[] {
    return this.emitter.constants;
  }

  /** An object of functions of a run and its `this`: `main`, which begins with a fresh root, and `maps`. */
  template({ statements, maps }: Template): Js {
    const main = this.body(statements, true);
    const others = [...maps].map(
      ([name, inner]) => js`[${this.emitter.constant(name)}, ${this.body(inner, true)}]`,
    );
    return js`return { main: ${main}, maps: [${joined(others, ', ')}] };`;
  }

  /** A function like `main` for a root that is there already. */
  onto(statements: readonly Statement[]): Js {
    return js`return ${this.body(statements, false)};`;
  }

  /** A function of a run and its `this` that gives the value of one expression. */
  standalone(expression: Expression): Js {
    const code = this.emitter.function([js`run`, selfName], () => {
      const value = this.generation.expression(expression, scope);
      this.emitter.flush();
      this.emitter.emit(js`return ${value.code};`);
    });
    return js`return ${code};`;
  }

  private body(statements: readonly Statement[], isFresh: boolean): Js {
    this.prefixes = [];
    this.waiting = [];
    this.mayWait = isFresh;
    this.at = 0;
    this.extended = extendedPaths(statements);
    this.variables = usesDynamicVariables(statements) ? undefined : new Map();
    return this.emitter.function([js`run`, selfName], () => {
      const at = this.emitter.declare('o');
      this.marker = at;
      this.emitter.emit(js`${at} = 0;`);
      this.emitter.inContext(
        () => {
          this.statements(statements);
          this.commit();
        },
        (error) => js`located(${error}, ${this.emitter.constant(this.prefixes)}, ${at})`,
      );
      this.emitter.flush();
    });
  }

  private marker: Js = js``;

  /** Tells where failures come from; what cannot fail says nothing. */
  private locate(prefix: string | undefined, write: () => void): void {
    const { throws } = this.emitter;
    this.emitter.throws = false;
    const lines = this.emitter.block(write);
    if (this.emitter.throws) {
      let at = 0;
      if (prefix !== undefined) {
        at = this.prefixes.indexOf(prefix, 1);
        if (at < 0) {
          this.prefixes[0] ??= '';
          at = this.prefixes.push(prefix) - 1;
        }
      }
      this.emitter.emit(js`${this.marker} = ${at};`);
    }
    this.emitter.insert(lines);
    this.emitter.throws ||= throws;
  }

  private statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.statement(statement);
  }

  private statement(statement: Statement): void {
    const prefix = `failed assignment (line ${statement.line})`;
    if (statement.kind === 'if') return this.conditional(statement);
    if (mentionsRoot(statement.value)) this.commit();
    if (statement.kind === 'assign') return this.assignment(statement, prefix);
    let value: Operand | undefined;
    this.locate(prefix, () => {
      this.emitter.pending += 1;
      value = this.copied(statement.value);
    });
    const { code, marked } = value as unknown as Operand;
    if (statement.kind === 'meta') {
      const key =
        statement.key === undefined ? js`undefined` : this.emitter.constant(statement.key);
      this.locate(undefined, () => {
        this.emitter.flush();
        this.emitter.throws = true;
        this.emitter.emit(js`setMetadata(run, ${key}, ${code}, ${this.emitter.constant(prefix)});`);
      });
    } else this.setVariable(statement.name, code, marked !== 'never');
  }

  /** The value of a statement: what was read of root is a copy, as root goes on changing. */
  private copied(expression: Expression): Operand {
    const value = this.generation.expression(expression, scope);
    return mentionsRoot(expression)
      ? { ...value, code: this.emitter.temporary(js`clone(${value.code})`) }
      : value;
  }

  private setVariable(name: string, code: Js, mayBeMark: boolean): void {
    if (this.variables === undefined) {
      this.emitter.emit(js`setVariable(run, ${this.emitter.constant(name)}, ${code});`);
      return;
    }
    let variable = this.variables.get(name);
    if (variable === undefined) {
      variable = this.emitter.declare('v');
      this.variables.set(name, variable);
    }
    if (mayBeMark)
      this.emitter.emit(
        js`if (${code} === Deleted) ${variable} = undefined; else if (${code} !== Nothing) ${variable} = ${code};`,
      );
    else this.emitter.emit(js`${variable} = ${code};`);
  }

  private variable(name: string): Operand {
    const key = this.emitter.constant(name);
    if (this.variables === undefined) return operand(this.emitter.call(js`variable(run, ${key})`));
    const known = this.variables.get(name);
    this.emitter.emit(known === undefined ? js`{` : js`if (${known} === undefined) {`);
    this.emitter.fail(() => js`undefinedVariable(${key})`);
    this.emitter.emit(js`}`);
    return operand(known ?? js`null`);
  }

  private assignment(statement: Extract<Statement, { kind: 'assign' }>, prefix: string): void {
    const path = statement.path.slice(1);
    const waits = this.mayWait && canWait(statement) && !collides(path, this.waiting);
    if (!waits) this.commit();
    let value: Operand | undefined;
    this.locate(prefix, () => {
      this.emitter.pending += 1;
      value = this.copied(statement.value);
      const isExtended = this.extended.has(path.join('\0'));
      if (isExtended && !mentionsRoot(statement.value))
        value = { ...value, code: this.emitter.temporary(js`clone(${value.code})`) };
      // A value that waits must not change meanwhile, as variables do.
      else if (waits && !/^[tc]\d+$/.test(value.code) && value.constant === undefined)
        value = { ...value, code: this.emitter.temporary(value.code) };
    });
    const made = value as unknown as Operand;
    if (waits) {
      this.waiting.push({ path, value: made });
      return;
    }
    this.locate(prefix, () => {
      this.emitter.flush();
      this.emitter.throws = true;
      this.emitter.emit(
        js`run.root = assign(run.root, ${this.emitter.constant(path)}, ${made.code});`,
      );
    });
  }

  /** Makes the assignments that wait: as one literal, when each object of it has something that is surely there. */
  private commit(): void {
    const { waiting } = this;
    this.mayWait = false;
    if (waiting.length === 0) return;
    this.waiting = [];
    const all = treeOf(waiting).fields;
    // No assignment is in the way of another: those into objects that may stay away are made behind the others.
    const isTogether = ({ path: [first = ''] }: Waiting) => isSolid(all.get(first) ?? treeOf([]));
    const [together, apart] = [
      waiting.filter(isTogether),
      waiting.filter((one) => !isTogether(one)),
    ];
    const tree = treeOf(together);
    if (!isSolid(tree)) {
      this.emitter.emit(this.oneByOne(waiting));
      return;
    }
    const oneByOne = this.oneByOne(together);
    const doubtful = together
      .filter(({ value }) => value.marked === 'perhaps')
      .map(({ value: { code } }) => js`${code} === Deleted || ${code} === Nothing`);
    if (doubtful.length > 0)
      this.emitter.emit(js`if (${joined(doubtful, ' || ')}) ${oneByOne} else`);
    this.emitter.emit(js`{`);
    this.emitter.emit(js`run.root = ${this.treeCode(tree)};`);
    this.emitter.emit(js`}`);
    if (apart.length > 0) this.emitter.emit(this.oneByOne(apart));
  }

  private oneByOne(waiting: readonly Waiting[]): Js {
    const paths = this.emitter.constant(waiting.map(({ path }) => path));
    const values = joined(
      waiting.map(({ value }) => value.code),
      ', ',
    );
    return js`run.root = assignAll(run.root, ${paths}, [${values}]);`;
  }

  private treeCode({ leaf, fields }: Tree): Js {
    if (leaf) return leaf.code;
    return generatePlainObject(
      this.emitter,
      [...fields].map(([word, inner]) => ({
        word,
        value: inner.leaf ?? operand(this.treeCode(inner)),
      })),
      true,
    );
  }

  private conditional(statement: Extract<Statement, { kind: 'if' }>): void {
    this.commit();
    const prefix = `failed to check if condition (line ${statement.line})`;
    const label = this.emitter.name('S');
    this.emitter.emit(js`${label}: {`);
    const { pending } = this.emitter;
    for (const { condition, body } of statement.branches) {
      let test: Operand | undefined;
      this.locate(prefix, () => {
        test = this.generation.expression(condition, scope);
        const { code, known } = test;
        if (known === 'bool') return;
        this.emitter.emit(js`if (typeof ${code} !== "boolean") {`);
        this.emitter.fail(() => js`notStatementCondition(${code})`);
        this.emitter.emit(js`}`);
      });
      this.emitter.emit(js`if (${(test as unknown as Operand).code}) {`);
      const before = this.emitter.pending;
      this.statements(body);
      this.commit();
      this.emitter.settle(pending);
      this.emitter.emit(js`break ${label}; }`);
      this.emitter.pending = before;
    }
    if (statement.otherwise) this.statements(statement.otherwise);
    this.commit();
    this.emitter.settle(pending);
    this.emitter.emit(js`}`);
  }
}
