import { MappingError, type TemplateFault } from '../language/mapping-error.js';
import {
  type ApplyMap,
  type Limits,
  Run,
  type Surroundings,
  usualLimits,
} from '../language/run.js';
import { LimitError, RunError } from '../language/run-error.js';
import { type CompiledTemplate, compileQuery, compileTemplate } from '../language/template.js';
import {
  clone,
  Deleted,
  equal,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  type Value,
} from '../language/values.js';
import { casts } from './casts.js';
import { type Embedded, type Located, readDocument } from './read-document.js';

/** A failure while a document runs: which template, and why. */
export class MappingRunError extends Error {
  constructor(
    readonly template: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`template "${template}": ${reason}`, options);
    this.name = 'MappingRunError';
  }
}

/** What a record became; undefined when a template dropped it. */
export type Mapped = { record: Value } | undefined;

/** A mapping document, ready to run. */
export interface CompiledDocument {
  /** Maps one record. @throws MappingRunError */
  run(record: Value, options?: DocumentOptions): Mapped;
}

export interface DocumentOptions {
  /** What templates read with `@` and `metadata()`. */
  metadata?: Readonly<Record<string, Value>>;
  limits?: Partial<Limits>;
  surroundings?: Surroundings;
}

/** Compiles a mapping document. @throws MappingError with every fault of YAML and templates, at the document's own lines */
export function compileDocument(document: string | Embedded): CompiledDocument {
  const source = typeof document === 'string' ? document : document.source;
  const parts = readDocument(document);
  const faults: TemplateFault[] = [];
  const compile = <T>(located: Located, how: (text: string) => T): T | undefined => {
    try {
      return how(located.text);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      for (const fault of error.faults)
        faults.push({ ...fault, ...located.locate(fault.line, fault.column) });
      return undefined;
    }
  };
  const templates = new Map<string, CompiledTemplate>();
  for (const [name, located] of parts.templates) {
    const compiled = compile(located, compileTemplate);
    if (compiled) templates.set(name, compiled);
  }
  const select = parts.select.map(({ name, match }) => ({
    name,
    test: compile(match, compileQuery),
  }));
  const types = new Map(
    [...parts.dataTypes].map(([name, { transform, ignored }]) => [
      name,
      { transform: transform && compile(transform, compileTemplate), ignored },
    ]),
  );
  if (faults.length > 0) throw new MappingError(faults, source);

  const apply: ApplyMap = (run, name, target) => {
    const type = types.get(name);
    if (type) {
      if (type.ignored.some((one) => equal(one, target))) return Nothing;
      if (type.transform) return type.transform.applyTo(run, target);
    }
    const template = templates.get(name);
    if (template) return template.applyTo(run, target);
    const cast = casts.get(name);
    if (cast) return cast(target, run);
    if (type) return target;
    throw new RunError(`there is no template "${name}"`);
  };

  return {
    run(record, options = {}) {
      const limits = { ...usualLimits, ...options.limits };
      const { surroundings, metadata = {} } = options;
      const whole = new Run(
        Nothing,
        record,
        metadata,
        limits,
        surroundings ?? { now: () => Date.now(), random: () => 0 },
        apply,
      );
      let root: Value = {};
      const withRoot = (): Value => {
        if (!isObject(record)) return record;
        const input: ObjectValue = { ...record };
        setKey(input, '__root__', clone(root));
        return input;
      };
      const step = (name: string): boolean => {
        try {
          const result = templates.get(name)?.run(withRoot(), {
            root: clone(root),
            metadata,
            limits,
            apply,
            within: whole,
            ...(surroundings ? { surroundings } : {}),
          });
          root = result?.root;
        } catch (error) {
          throw asRunError(name, error);
        }
        return root !== Deleted;
      };
      const chosen = (): string => {
        for (const { name, test } of select) {
          try {
            if (test?.(withRoot(), { root, metadata, limits, apply }) === true) return name;
          } catch (error) {
            throw asRunError(name, error, 'select: ');
          }
        }
        return parts.defaultName;
      };
      for (const name of parts.pre) if (!step(name)) return undefined;
      if (!step(chosen())) return undefined;
      for (const name of parts.post) if (!step(name)) return undefined;
      return { record: root === Nothing ? {} : root };
    },
  };
}

function asRunError(template: string, error: unknown, prefix = ''): unknown {
  if (error instanceof RunError || error instanceof LimitError)
    return new MappingRunError(template, prefix + error.message, { cause: error });
  return error;
}
