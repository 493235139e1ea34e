import type { Expression, Statement } from '../language/ast.js';
import type { Environment } from '../language/environment.js';
import type { Code } from '../language/run.js';
import type { Value } from '../language/values.js';
import { type Body, Compiler } from './compile.js';

/** A part of a template that runs. */
export type Traced = Expression | Statement;

/** Told about every part of a template while it runs, in the order in which it runs. */
export interface Trace {
  enter(part: Traced): void;
  /** @param value what an expression has produced; undefined for a statement */
  leave(part: Traced, value: Value): void;
  fail(part: Traced, error: unknown): void;
}

/** True for a statement, false for an expression. */
export function isStatement(part: Traced): part is Statement {
  return 'line' in part;
}

/**
 * Turns a template into closures that tell a trace what they do. They run as those of the compiler do, only slower: they are made when
 * somebody asks how a result or a failure came about.
 */
export class TracingCompiler extends Compiler {
  constructor(
    source: string,
    environment: Environment,
    private readonly trace: Trace,
  ) {
    super(source, environment);
  }

  protected override expression(...[expression, names]: Parameters<Compiler['expression']>): Code {
    const code = super.expression(expression, names);
    return (run, self, named) => this.traced(expression, () => code(run, self, named));
  }

  protected override statement(statement: Statement): Body {
    const body = super.statement(statement);
    return (run, self) => {
      this.traced(statement, () => body(run, self));
    };
  }

  private traced<T>(part: Traced, run: () => T): T {
    const { trace } = this;
    trace.enter(part);
    let value: T;
    try {
      value = run();
    } catch (error) {
      trace.fail(part, error);
      throw error;
    }
    trace.leave(part, value);
    return value;
  }
}
