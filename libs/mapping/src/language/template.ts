import { Adaptive } from '../hot/adaptive.js';
import { generateQuery, generateTemplate } from '../hot/generate.js';
import { Compiler } from './compile.js';
import { measure } from './measure.js';
import { multiplies } from './multiplies.js';
import { parseQuery, parseTemplate } from './parse.js';
import { enterRun, leaveRun } from './parts.js';
import {
  type ApplyMap,
  type Code,
  type Limits,
  noTemplates,
  Run,
  type Surroundings,
  usualLimits,
  usualSurroundings,
} from './run.js';
import { LimitError } from './run-error.js';
import { mayRead } from './walk.js';
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
  /** A run to take fuel, limits and surroundings from, for templates that are parts of one mapping. */
  within?: Run;
}

/** What came out. `root` is `Nothing` when nothing was assigned, `Deleted` when the document was dropped. */
export interface RunResult {
  root: Value;
  metadata: Readonly<Record<string, Value>>;
}

/** A compiled template; runs as often as wanted, each run with state of its own. */
export interface CompiledTemplate {
  /** Whether results may hold one value many times, so that their size has to be measured. */
  readonly multiplies: boolean;
  /** Whether it may look at this field of its input: by its name, or at the input as a whole. */
  mayRead(field: string): boolean;
  /** @throws RunError, LimitError */
  run(input: Value, options?: RunOptions): RunResult;
  /** Runs it as a map of another run: fresh root, `this` is the target. */
  applyTo(run: Run, target: Value): Value;
}

const noMetadata: Readonly<Record<string, Value>> = Object.freeze({});

/** How a template is compiled. */
export interface CompileOptions {
  /**
   * How much fuel runs of the template spend before code is generated for it; it runs by closures until then. Infinity for never.
   */
  generateAfter?: number;
}

/** Compiles a template. @throws MappingError with all faults */
export function compileTemplate(source: string, options: CompileOptions = {}): CompiledTemplate {
  const template = parseTemplate(source);
  const hasMaps = template.maps.size > 0;
  const isMeasured = multiplies(template);
  const closures = new Compiler(source).template(template);
  const tiers = new Adaptive(
    closures,
    () => generateTemplate(() => parseTemplate(source), closures),
    options.generateAfter,
  );
  const applyOwn = (next: ApplyMap): ApplyMap => {
    if (!hasMaps) return next;
    return (run, name, target) => {
      const map = tiers.at(run.depth).maps.get(name);
      if (map === undefined) return next(run, name, target);
      run.root = Nothing;
      map(run, target);
      return run.root;
    };
  };
  const applyOnlyOwn = applyOwn(noTemplates);
  return {
    multiplies: isMeasured,
    mayRead: (field) => mayRead(parseTemplate(source), field),
    run(input, options = {}) {
      const { within, limits } = options;
      const run = new Run(
        'root' in options ? options.root : Nothing,
        input,
        options.metadata ?? noMetadata,
        within?.limits ?? limitsOf(limits),
        within?.surroundings ?? options.surroundings ?? usualSurroundings,
        options.apply === undefined ? applyOnlyOwn : applyOwn(options.apply),
      );
      if (within) {
        run.fuel = within.fuel;
        run.depth = within.depth;
      }
      const before = run.fuel;
      const entered = enterRun(run.limits.parts);
      try {
        tiers.current.main(run, input);
        if (isMeasured && within === undefined) {
          measure(run.root);
          measure(run.metadata);
        }
      } catch (error) {
        throw overflowed(error)
          ? new LimitError('depth', 'templates or values are nested too deep')
          : error;
      } finally {
        leaveRun(entered);
        if (within) within.fuel = run.fuel;
        tiers.note(before - run.fuel);
      }
      return { root: run.root, metadata: run.metadata };
    },
    applyTo(run, target) {
      const before = run.fuel;
      run.root = Nothing;
      tiers.at(run.depth).main(run, target);
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
    const { metadata = noMetadata, root = Nothing, limits, within } = options;
    const run = new Run(
      root,
      input,
      metadata,
      within?.limits ?? limitsOf(limits),
      within?.surroundings ?? options.surroundings ?? usualSurroundings,
      options.apply ?? noTemplates,
    );
    if (within) run.fuel = within.fuel;
    const before = run.fuel;
    const entered = enterRun(run.limits.parts);
    try {
      return tiers.current(run, input, null);
    } finally {
      leaveRun(entered);
      if (within) within.fuel = run.fuel;
      tiers.note(before - run.fuel);
    }
  };
}

function limitsOf(limits: Partial<Limits> | undefined): Limits {
  return limits === undefined ? usualLimits : { ...usualLimits, ...limits };
}

function overflowed(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
