import type { Expression, Statement, Template } from './ast.js';
import { assignPath, deletePath } from './assign.js';
import { ExpressionCompiler } from './compile-expression.js';
import { type Code, inContext, type Run } from './run.js';
import { RunError } from './run-error.js';
import { clone, Deleted, isObject, Nothing, setKey, typeName, type Value } from './values.js';

/** A compiled body: runs its statements; true once something was assigned to root. */
export type Body = (run: Run, self: Value) => boolean;

/** Turns a parsed template into closures. @throws MappingError with every fault at once. */
export class Compiler extends ExpressionCompiler {
  template({ statements, maps }: Template): { body: Body; maps: Map<string, Body> } {
    const body = this.body(statements);
    const compiled = new Map([...maps].map(([name, inner]) => [name, this.body(inner)]));
    this.finish();
    return { body, maps: compiled };
  }

  query(expression: Expression): Code {
    const code = this.expression(expression, null);
    this.finish();
    return code;
  }

  /** The paths that other statements of the template put something into. */
  private readonly extended = new Set<string>();

  private noteExtended(statements: readonly Statement[]): void {
    for (const statement of statements) {
      if (statement.kind === 'if') {
        for (const { body } of statement.branches) this.noteExtended(body);
        this.noteExtended(statement.otherwise ?? []);
      } else if (statement.kind === 'assign')
        for (let length = 2; length < statement.path.length; length += 1)
          this.extended.add(statement.path.slice(1, length).join('\0'));
    }
  }

  private body(statements: readonly Statement[]): Body {
    this.noteExtended(statements);
    const compiled = statements.map((statement) => this.statement(statement));
    return (run, self) => {
      let assigned = false;
      for (const step of compiled) if (step(run, self)) assigned = true;
      return assigned;
    };
  }

  private statement(statement: Statement): Body {
    const prefix = `failed assignment (line ${statement.line})`;
    if (statement.kind === 'if') return this.conditional(statement);
    const code = this.expression(statement.value, null);
    const guarded = (run: Run, self: Value): Value => {
      run.spend(1);
      try {
        return code(run, self, null);
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
        return false;
      };
    }
    if (statement.kind === 'meta') return this.metadata(statement.key, guarded, prefix);
    const path = statement.path.slice(1);
    // What nothing is put into later needs no copy: the input is only read.
    const copy =
      this.extended.has(path.join('\0')) || path.length === 0 ? clone : (value: Value) => value;
    return (run, self) => {
      const value = guarded(run, self);
      if (value === Nothing) return false;
      try {
        if (value === Deleted) run.root = deletePath(run.root, path);
        else run.root = assignPath(run.root, path, copy(value));
      } catch (error) {
        throw inContext(error, prefix);
      }
      return true;
    };
  }

  private metadata(
    key: string | undefined,
    value: (run: Run, self: Value) => Value,
    prefix: string,
  ): Body {
    return (run, self) => {
      const given = value(run, self);
      if (given === Nothing) return false;
      if (key !== undefined) {
        if (given === Deleted) delete run.metadata[key];
        else setKey(run.metadata, key, given);
      } else if (given === Deleted) run.metadata = {};
      else if (isObject(given)) run.metadata = { ...given };
      else
        throw new RunError(
          `${prefix}: setting root meta object requires object value, received: ${typeName(given)}`,
        );
      return false;
    };
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
        if (holds) return body(run, self);
      }
      return otherwise ? otherwise(run, self) : false;
    };
  }
}
