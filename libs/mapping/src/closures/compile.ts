import type { Expression, Statement, Template } from '../language/ast.js';
import { assignPath, deletePath, setMetadata } from '../language/assign.js';
import { ExpressionCompiler } from './compile-expression.js';
import { constantRun } from './fold-constants.js';
import { type Code, inContext, type Run } from '../language/run.js';
import type { Environment } from '../language/environment.js';
import { RunError } from '../language/run-error.js';
import { suggestName } from '../language/suggest-name.js';
import {
  expressionsOf,
  extendedPaths,
  mentionsRoot,
  variableReads,
  variablesOf,
} from '../language/walk.js';
import { clone, Deleted, Nothing, typeName, type Value } from '../language/values.js';

/** A compiled body: runs its statements. */
export type Body = (run: Run, self: Value) => void;

/** The body of a template, and those of its maps. */
export interface Bodies {
  main: Body;
  maps: ReadonlyMap<string, Body>;
}

const noVariables = 'An expression alone has no variables; they are made by let, in a template.';

/** Turns a parsed template into closures. @throws MappingError with every fault at once. */
export class Compiler extends ExpressionCompiler {
  template({ statements, maps }: Template): Bodies {
    const main = this.ownBody(statements);
    const compiled = new Map([...maps].map(([name, inner]) => [name, this.ownBody(inner)]));
    for (const body of [statements, ...maps.values()]) this.checkVariables(body);
    this.finish();
    return { main, maps: compiled };
  }

  query(expression: Expression): Code {
    const code = this.expression(expression, null);
    for (const { start, name } of variableReads(expression))
      this.fault(start, `variable '${name}' undefined`, () => noVariables);
    this.finish();
    return code;
  }

  /** Reports variables that no `let` of the body makes: reading them fails in every run. */
  private checkVariables(statements: readonly Statement[]): void {
    const made = variablesOf(statements);
    for (const { start, name } of expressionsOf(statements).flatMap(variableReads))
      if (!made.has(name))
        this.fault(
          start,
          `variable '${name}' undefined`,
          () => suggestName(name, made) ?? `A variable is made by let ${name} = ….`,
        );
  }

  /** The paths that other statements of the same body put something into. */
  private extended: ReadonlySet<string> = new Set();

  /** The body of the template or of a map. Each has a root of its own. */
  private ownBody(statements: readonly Statement[]): Body {
    this.extended = extendedPaths(statements);
    return this.body(statements);
  }

  private body(statements: readonly Statement[]): Body {
    const compiled = statements.map((statement) => this.statement(statement));
    return (run, self) => {
      for (const step of compiled) step(run, self);
    };
  }

  protected statement(statement: Statement): Body {
    const prefix = `failed assignment (line ${statement.line})`;
    if (statement.kind === 'if') return this.conditional(statement);
    const code = this.expression(statement.value, null);
    // Root goes on changing: what was read of it is kept as a copy.
    const readsRoot = mentionsRoot(statement.value);
    const guarded = (run: Run, self: Value): Value => {
      run.spend(1);
      try {
        const value = code(run, self, null);
        return readsRoot ? clone(value) : value;
      } catch (error) {
        throw inContext(error, prefix);
      }
    };
    if (statement.kind === 'let') {
      const { name } = statement;
      return (run, self) => {
        const value = guarded(run, self);
        if (value === Deleted) run.variables.delete(name);
        else if (value !== Nothing) run.variables.set(name, value);
      };
    }
    if (statement.kind === 'meta') return this.metadata(statement.key, guarded, prefix);
    const path = statement.path.slice(1);
    // A value that no other statement changes needs no copy, because the input is only read.
    const isExtended = this.extended.has(path.join('\0'));
    const copy = isExtended && !readsRoot ? clone : (value: Value) => value;
    return (run, self) => {
      const value = guarded(run, self);
      if (value === Nothing) return;
      try {
        if (value === Deleted) run.root = deletePath(run.root, path);
        else run.root = assignPath(run.root, path, copy(value));
      } catch (error) {
        throw inContext(error, prefix);
      }
    };
  }

  private metadata(
    key: string | undefined,
    value: (run: Run, self: Value) => Value,
    prefix: string,
  ): Body {
    return (run, self) => setMetadata(run, key, value(run, self), prefix);
  }

  private conditional(statement: Extract<Statement, { kind: 'if' }>): Body {
    const branches = statement.branches.map(({ condition, body }) => ({
      test: this.expression(condition, null),
      body: this.body(body),
    }));
    const otherwise = statement.otherwise && this.body(statement.otherwise);
    return (run, self) => {
      for (const { test, body } of branches) {
        let holds: Value;
        try {
          holds = test(run, self, null);
        } catch (error) {
          throw inContext(error, `failed to check if condition (line ${statement.line})`);
        }
        if (typeof holds !== 'boolean')
          throw new RunError(
            `failed to check if condition (line ${statement.line}): resolved to a non-boolean value (${typeName(holds)})`,
          );
        if (holds) {
          body(run, self);
          return;
        }
      }
      otherwise?.(run, self);
    };
  }
}

/** Computes an operation on literals as closures do. */
export function foldConstant(expression: Expression, environment: Environment): Value {
  return new Compiler('', environment).query(expression)(constantRun(), null, null);
}
