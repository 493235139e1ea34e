import { Adaptive } from '../hot/adaptive.js';
import { generateQuery, generateTemplate } from '../hot/generate.js';
import { Compiler } from './compile.js';
import { parseQuery, parseTemplate } from './parse.js';
import {
  type ApplyMap,
  type Code,
  type Limits,
  Run,
  type Surroundings,
  usualLimits,
} from './run.js';
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

const noMetadata: Readonly<Record<string, Value>> = Object.freeze({});

const pinned: Surroundings = { now: () => Date.now(), random: () => cryptoRandom() };

function cryptoRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** How a template is compiled. */
export interface CompileOptions {
  /**
   * How much fuel runs of the template spend before code is generated for it; it runs by closures until then. Infinity for never.
   */
  generateAfter?: number;
}

/** Compiles a template. @throws MappingError with all faults */
export function compileTemplate(source: string, options: CompileOptions = {}): CompiledTemplate {
  const tiers = new Adaptive(
    new Compiler(source).template(parseTemplate(source)),
    () => generateTemplate(parseTemplate(source)),
    options.generateAfter,
  );
  const applyOwn =
    (next: ApplyMap): ApplyMap =>
    (run, name, target) => {
      const map = tiers.current.maps.get(name);
      if (map === undefined) return next(run, name, target);
      run.root = Nothing;
      map(run, target);
      return run.root;
    };
  const applyOnlyOwn = applyOwn(unknownMap);
  return {
    run(input, options = {}) {
      const { within, limits } = options;
      const run = new Run(
        'root' in options ? options.root : Nothing,
        input,
        options.metadata ?? noMetadata,
        limits === undefined ? usualLimits : { ...usualLimits, ...limits },
        within?.surroundings ?? options.surroundings ?? pinned,
        options.apply === undefined ? applyOnlyOwn : applyOwn(options.apply),
      );
      if (within) {
        run.fuel = within.fuel;
        run.depth = within.depth;
      }
      const before = run.fuel;
      try {
        tiers.current.main(run, input);
      } catch (error) {
        throw overflowed(error)
          ? new LimitError('depth', 'templates or values are nested too deep')
          : error;
      } finally {
        if (within) within.fuel = run.fuel;
        tiers.note(before - run.fuel);
      }
      return { root: run.root, metadata: run.metadata };
    },
    applyTo(run, target) {
      const before = run.fuel;
      run.root = Nothing;
      tiers.current.main(run, target);
      tiers.note(before - run.fuel);
      return run.root;
    },
  };
}

/** Compiles one expression, such as the condition of a select. @throws MappingError */
export function compileQuery(
  source: string,
  { generateAfter }: CompileOptions = {},
): (input: Value, options?: RunOptions) => Value {
  const tiers = new Adaptive<Code>(
    new Compiler(source).query(parseQuery(source)),
    () => generateQuery(parseQuery(source)),
    generateAfter,
  );
  return (input, options = {}) => {
    const { metadata = noMetadata, root = Nothing, limits, surroundings = pinned } = options;
    const run = new Run(
      root,
      input,
      metadata,
      limits === undefined ? usualLimits : { ...usualLimits, ...limits },
      surroundings,
      options.apply ?? unknownMap,
    );
    const before = run.fuel;
    try {
      return tiers.current(run, input, null);
    } finally {
      tiers.note(before - run.fuel);
    }
  };
}

const unknownMap: ApplyMap = (_run, name) => {
  throw new RunError(`map ${name} was not found`);
};

function overflowed(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
