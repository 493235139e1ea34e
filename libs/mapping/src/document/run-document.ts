import { measure } from '../language/measure.js';
import { setMeter } from '../language/meter.js';
import { type Limits, lowerLimits } from '../language/limits.js';
import { type ApplyMap, Run, type Surroundings, systemSurroundings } from '../language/run.js';
import { LimitError, RunError, toFailure } from '../language/run-error.js';
import { describeFailure, type FailurePlace, type LocatedFailure } from './locate-failure.js';
import type { CompiledTemplate, compileQuery } from './template.js';
import type { TemplatePart } from './template-part.js';
import type { FailureTrace } from './trace-failure.js';
import type { TracedFailure } from './failed-statement.js';
import {
  clone,
  Deleted,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  type Value,
} from '../language/values.js';

/** A failure while a document runs: which template, where in the document, and why. */
export class MappingRunError extends Error {
  /** The failure without its place. */
  readonly reason: string;
  /** Where the document failed; undefined where no statement is to blame. */
  readonly place: FailurePlace | undefined;
  /** The text of `throw("…")`, if the template has failed on purpose. */
  readonly thrown: string | undefined;

  constructor(
    /** The template that was running, or would have been selected. */
    readonly template: string,
    { message, reason, place }: LocatedFailure,
    failure: RunError | LimitError,
  ) {
    super(message, { cause: failure });
    this.name = 'MappingRunError';
    this.reason = reason;
    this.place = place;
    this.thrown = failure instanceof RunError ? failure.thrown : undefined;
  }
}

/** The result for one record; undefined when a template dropped it. */
export type Mapped = { record: Value } | undefined;

export interface DocumentOptions {
  /** The metadata that templates read with `@` and `metadata()`. */
  metadata?: Readonly<Record<string, Value>>;
  /** Limits that are lower than those of the process, for an integration whose mappings are trusted less. */
  limits?: Partial<Limits>;
  surroundings?: Surroundings;
  /** The name of the document in errors; by default the one that it was compiled with. */
  name?: string;
  /** Is told the template that the document selects for the record, before it runs. */
  onSelect?: (template: string) => void;
}

/** A template in the sequence of a document. */
export interface Step {
  part: TemplatePart;
  template: CompiledTemplate;
  /** Whether it may look at `this.__root__`, which costs a copy of all that was mapped so far. */
  readsRoot: boolean;
  /** Whether `this` may be part of what it makes, so that a `__root__` of the record itself is removed. */
  passesInput: boolean;
}

/** The steps that a document takes for each record: the templates before, the one that is selected, and the templates after it. */
export interface Plan {
  pre: readonly Step[];
  select: readonly { step: Step; part: TemplatePart; test: ReturnType<typeof compileQuery> }[];
  otherwise: Step;
  post: readonly Step[];
  apply: ApplyMap;
  /** Whether a template of it makes results whose size has to be measured. */
  multiplies: boolean;
  /** The name of the document in errors. */
  name: string | undefined;
  /** The same plan, watched by a trace of failures. */
  traced?: () => TracedPlan;
}

/** A plan whose templates tell a trace what they do. */
export interface TracedPlan {
  plan: Plan;
  trace: FailureTrace;
}

/** Under this key `this` carries what was mapped before. */
const rootKey = '__root__';

const noMetadata: Readonly<Record<string, Value>> = Object.freeze({});

/** Maps one record. @throws MappingRunError */
export function runDocument(plan: Plan, record: Value, options: DocumentOptions): Mapped {
  return new DocumentRun(plan, record, options).run();
}

class DocumentRun {
  private readonly limits: Limits;
  private readonly whole: Run;
  private root: Value = {};

  constructor(
    private readonly plan: Plan,
    private readonly record: Value,
    private readonly options: DocumentOptions,
  ) {
    const { limits, metadata = noMetadata, surroundings = systemSurroundings } = options;
    this.limits = lowerLimits(limits);
    this.whole = new Run(Nothing, record, metadata, this.limits, surroundings, plan.apply);
  }

  run(): Mapped {
    const { plan } = this;
    const outer = setMeter(this.whole);
    try {
      for (const step of plan.pre) if (!this.step(step)) return undefined;
      const selected = this.selected();
      this.options.onSelect?.(selected.part.name);
      if (!this.step(selected)) return undefined;
      for (const step of plan.post) if (!this.step(step)) return undefined;
      if (plan.multiplies) this.measured(plan.post.at(-1) ?? plan.otherwise);
    } finally {
      setMeter(outer);
    }
    return { record: this.root === Nothing ? {} : this.root };
  }

  /** Runs a template onto what was mapped so far. @returns false when it dropped the record */
  private step(step: Step): boolean {
    const { template } = step;
    const readsRoot = step.readsRoot || (step.passesInput && this.hasRootKey);
    try {
      const { root } = template.run(readsRoot ? this.withRoot() : this.record, {
        root: clone(this.root),
        metadata: this.whole.inputMetadata,
        apply: this.plan.apply,
        within: this.whole,
      });
      this.root = readsRoot ? withoutRootKey(root) : root;
    } catch (error) {
      throw this.failed(step.part, error);
    }
    return this.root !== Deleted;
  }

  private selected(): Step {
    const { select, otherwise, apply } = this.plan;
    const metadata = this.whole.inputMetadata;
    for (const { step, part, test } of select) {
      try {
        const options = { root: this.root, metadata, limits: this.limits, apply };
        if (test(this.withRoot(), { ...options, within: this.whole }) === true) return step;
      } catch (error) {
        throw this.failed(part, error);
      }
    }
    return otherwise;
  }

  private failed(part: TemplatePart, error: unknown): MappingRunError {
    const failure = toFailure(error);
    const { name = this.plan.name } = this.options;
    const located = describeFailure(failure, part, name, this.trace(failure));
    return new MappingRunError(part.name, located, failure);
  }

  /**
   * Finds the expression that failed by running the document again, watched, with the steps that are left: runs that succeed pay
   * nothing for it. Undefined if it does not fail in the same way, as with random values, or not within these steps.
   */
  private trace(failure: RunError | LimitError): TracedFailure | undefined {
    if (this.plan.traced === undefined || failure instanceof LimitError) return undefined;
    const { plan, trace } = this.plan.traced();
    const again = new DocumentRun(plan, this.record, { ...this.options, onSelect: () => {} });
    again.whole.continue(this.whole);
    try {
      again.run();
    } catch (error) {
      const { cause } = error as MappingRunError;
      if (cause instanceof RunError && cause.message === failure.message) return trace.describe();
    }
    return undefined;
  }

  /** Whether the record itself has the key that is never part of a record. */
  private get hasRootKey(): boolean {
    return isObject(this.record) && Object.hasOwn(this.record, rootKey);
  }

  private withRoot(): Value {
    if (!isObject(this.record)) return this.record;
    const input: ObjectValue = { ...this.record };
    setKey(input, rootKey, clone(this.root));
    return input;
  }

  private measured({ part }: Step): void {
    try {
      measure(this.root, this.whole);
    } catch (error) {
      throw this.failed(part, error);
    }
  }
}

/**
 * Removes the key that `this` carries for templates wherever a template has copied it, as `root = this` does: it is an input of templates
 * and never part of a record. Values may be shared with the record, so they are copied where they change.
 */
function withoutRootKey(value: Value): Value {
  if (Array.isArray(value)) {
    const items = value.map(withoutRootKey);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let changed: ObjectValue | undefined;
  for (const key in value) {
    const inner = value[key];
    // Most values are texts and numbers; every record of a list comes here.
    if (key !== rootKey && (typeof inner !== 'object' || inner === null)) continue;
    const kept = key === rootKey ? undefined : withoutRootKey(inner);
    if (kept === inner) continue;
    changed ??= { ...value };
    if (kept === undefined) delete changed[key];
    else setKey(changed, key, kept);
  }
  return changed ?? value;
}
