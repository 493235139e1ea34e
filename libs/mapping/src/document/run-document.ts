import { measure } from '../language/measure.js';
import { setMeter } from '../language/meter.js';
import { type Limits, lowerLimits } from '../language/limits.js';
import { type ApplyMap, Run, type Surroundings, systemSurroundings } from '../language/run.js';
import { RunError, toFailure } from '../language/run-error.js';
import { type FailurePlace, locateFailure } from './locate-failure.js';
import type { Located } from './read-document.js';
import type { CompiledTemplate, compileQuery } from './template.js';
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
  constructor(
    readonly template: string,
    readonly reason: string,
    options?: ErrorOptions,
    /** The text of `throw("…")`, if the template has failed on purpose. */
    readonly thrown?: string,
    /** The statement that failed, with the lines of the document; undefined where no statement is to blame. */
    readonly place?: FailurePlace,
  ) {
    super(`template "${template}": ${reason}`, options);
    this.name = 'MappingRunError';
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
}

/** A template in the sequence of a document. */
export interface Step {
  name: string;
  located: Located;
  template: CompiledTemplate;
  /** Whether it may look at `this.__root__`, which costs a copy of all that was mapped so far. */
  readsRoot: boolean;
  /** Whether `this` may be part of what it makes, so that a `__root__` of the record itself is removed. */
  passesInput: boolean;
}

/** The steps that a document takes for each record: the templates before, the one that is selected, and the templates after it. */
export interface Plan {
  pre: readonly Step[];
  select: readonly { step: Step; test: ReturnType<typeof compileQuery> }[];
  otherwise: Step;
  post: readonly Step[];
  apply: ApplyMap;
  /** Whether a template of it makes results whose size has to be measured. */
  multiplies: boolean;
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
    { limits, metadata = noMetadata, surroundings = systemSurroundings }: DocumentOptions,
  ) {
    this.limits = lowerLimits(limits);
    this.whole = new Run(Nothing, record, metadata, this.limits, surroundings, plan.apply);
  }

  run(): Mapped {
    const { plan } = this;
    const outer = setMeter(this.whole);
    try {
      for (const step of plan.pre) if (!this.step(step)) return undefined;
      if (!this.step(this.selected())) return undefined;
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
      throw asRunError(step, error);
    }
    return this.root !== Deleted;
  }

  private selected(): Step {
    const { select, otherwise, apply } = this.plan;
    const metadata = this.whole.inputMetadata;
    for (const { step, test } of select) {
      try {
        const options = { root: this.root, metadata, limits: this.limits, apply };
        if (test(this.withRoot(), { ...options, within: this.whole }) === true) return step;
      } catch (error) {
        throw asRunError(step, error, 'select: ');
      }
    }
    return otherwise;
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

  private measured(step: Step): void {
    try {
      measure(this.root, this.whole);
    } catch (error) {
      throw asRunError(step, error);
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

function asRunError({ name, located }: Step, error: unknown, prefix = ''): unknown {
  const failure = toFailure(error);
  const thrown = failure instanceof RunError ? failure.thrown : undefined;
  const place = locateFailure(located, failure.message);
  const reason = place === undefined ? failure.message : describePlace(place);
  return new MappingRunError(name, prefix + reason, { cause: failure }, thrown, place);
}

function describePlace({ line, column, field, reason }: FailurePlace): string {
  const where = `line ${line}, column ${column}`;
  return field === undefined ? `${where}: ${reason}` : `${where}, ${field}: ${reason}`;
}
