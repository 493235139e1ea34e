import type { CompiledQuery } from '#document';
import {
  type CompiledTemplate,
  Deleted,
  LimitError,
  Nothing,
  type RunOptions,
  RunError,
  type Value,
} from '@onefold/mapping';

/** The values that an expression sees as `this`, and what `.apply`, `now()` and random numbers mean in it. */
export interface Scope {
  readonly input: Readonly<Record<string, Value>>;
  readonly options: Pick<RunOptions, 'apply' | 'surroundings'>;
}

/** An expression of the document failed: a fault of the fake, never of the caller. */
export class ExpressionFailure extends Error {
  constructor(
    /** Place in the document, such as `routes.GET /a.body`. */
    readonly place: string,
    readonly reason: string,
  ) {
    super(`the fake failed at ${place}: ${reason}`);
    this.name = 'ExpressionFailure';
  }
}

/** An expression with a value. */
export class Query {
  constructor(
    readonly place: string,
    private readonly compiled: CompiledQuery,
  ) {}

  /** The value; null where there is none. @throws ExpressionFailure */
  value({ input, options }: Scope): Value {
    return guard(this.place, () => orNull(this.compiled(input, options)));
  }

  /** The value as a condition. @throws ExpressionFailure unless it is true, false or null */
  holds(scope: Scope): boolean {
    const value = this.value(scope);
    if (value === true) return true;
    if (value === false || value === null) return false;
    throw new ExpressionFailure(this.place, 'it is neither true nor false');
  }
}

/** An expression that makes `root`. */
export class Template {
  constructor(
    readonly place: string,
    readonly compiled: CompiledTemplate,
  ) {}

  /** The value of root; undefined where nothing was assigned. @param root what it is at first @throws ExpressionFailure */
  run({ input, options }: Scope, root: Value = Nothing): Value {
    return guard(this.place, () => {
      const made = this.compiled.run(input, { ...options, root }).root;
      return made === Nothing || made === Deleted ? undefined : made;
    });
  }
}

/** A text with queries in braces. */
export class TextTemplate {
  constructor(private readonly parts: readonly (string | Query)[]) {}

  /** @throws ExpressionFailure */
  write(scope: Scope): string {
    return this.parts
      .map((part) => (typeof part === 'string' ? part : textOf(part.value(scope))))
      .join('');
  }
}

/** Headers as queries, by name. */
export type Headers = ReadonlyMap<string, Query>;

/** A value within a text; nothing for null. */
export function textOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value === null || value === undefined ? '' : JSON.stringify(value);
  }
}

function orNull(value: Value): Value {
  return value === undefined || value === Nothing || value === Deleted ? null : value;
}

function guard<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RunError || cause instanceof LimitError)) throw cause;
    throw new ExpressionFailure(place, cause.message);
  }
}
