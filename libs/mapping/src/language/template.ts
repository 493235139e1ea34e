import { Compiler } from './compile.js';
import { parseQuery, parseTemplate } from './parse.js';
import { type ApplyMap, type Limits, Run, type Surroundings, usualLimits } from './run.js';
import { LimitError, RunError } from './run-error.js';
import { Nothing, type Value } from './values.js';

/** What a single run may be given. */
export interface RunOptions {
  /** Metadata of the input. */
  metadata?: Readonly<Record<string, Value>>;
  /** What root is at first; nothing unless told. */
  root?: Value;
  limits?: Partial<Limits>;
  surroundings?: Surroundings;
  /** Templates that `.apply` finds beside the template's own maps. */
  apply?: ApplyMap;
  /** A run to take fuel and surroundings from, for templates that are parts of one mapping. */
  within?: Run;
}

/** What came out. `root` is `Nothing` when nothing was assigned, `Deleted` when the document was dropped. */
export interface RunResult {
  root: Value;
  metadata: Readonly<Record<string, Value>>;
}

/** A compiled template; runs as often as wanted, each run with state of its own. */
export interface CompiledTemplate {
  /** @throws RunError, LimitError */
  run(input: Value, options?: RunOptions): RunResult;
  /** Runs it as a map of another run: fresh root, `this` is the target. */
  applyTo(run: Run, target: Value): Value;
}

const pinned: Surroundings = { now: () => Date.now(), random: () => cryptoRandom() };

function cryptoRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** Compiles a template. @throws MappingError with all faults */
export function compileTemplate(source: string): CompiledTemplate {
  const { body, maps } = new Compiler(source).template(parseTemplate(source));
  const applyOwn =
    (next: ApplyMap): ApplyMap =>
    (run, name, target) => {
      const map = maps.get(name);
      if (map === undefined) return next(run, name, target);
      run.root = Nothing;
      return map(run, target) ? run.root : Nothing;
    };
  return {
    run(input, options = {}) {
      const { metadata = {}, root = Nothing, limits = {}, surroundings = pinned, within } = options;
      const run = new Run(
        root,
        input,
        metadata,
        { ...usualLimits, ...limits },
        within?.surroundings ?? surroundings,
        applyOwn(options.apply ?? unknownMap),
      );
      if (within) {
        run.fuel = within.fuel;
        run.depth = within.depth;
      }
      try {
        body(run, input);
      } catch (error) {
        throw overflowed(error)
          ? new LimitError('depth', 'templates or values are nested too deep')
          : error;
      } finally {
        if (within) within.fuel = run.fuel;
      }
      return { root: run.root, metadata: run.metadata };
    },
    applyTo(run, target) {
      run.root = Nothing;
      return body(run, target) ? run.root : Nothing;
    },
  };
}

/** Compiles one expression, such as the condition of a select. @throws MappingError */
export function compileQuery(source: string): (input: Value, options?: RunOptions) => Value {
  const code = new Compiler(source).query(parseQuery(source));
  return (
    input,
    { metadata = {}, root = Nothing, limits = {}, surroundings = pinned, apply = unknownMap } = {},
  ) =>
    code(
      new Run(root, input, metadata, { ...usualLimits, ...limits }, surroundings, apply),
      input,
      null,
    );
}

const unknownMap: ApplyMap = (_run, name) => {
  throw new RunError(`map ${name} was not found`);
};

function overflowed(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
