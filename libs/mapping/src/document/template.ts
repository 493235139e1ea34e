import { Adaptive } from '../codegen/adaptive.js';
import type { Environment } from '../language/environment.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import { generateQuery, generateTemplate } from '../codegen/generate.js';
import { Compiler } from '../closures/compile.js';
import { type Trace, TracingCompiler } from '../closures/trace.js';
import { type Limits, lowerLimits } from '../language/limits.js';
import { measure } from '../language/measure.js';
import { multiplies } from '../language/multiplies.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { setMeter } from '../language/meter.js';
import {
  type ApplyMap,
  type Code,
  noTemplates,
  Run,
  type Surroundings,
  systemSurroundings,
} from '../language/run.js';
import { toFailure } from '../language/run-error.js';
import { mayObserve, mayRead } from '../language/walk.js';
import { Nothing, type Value } from '../language/values.js';

/** Options of a single run. */
export interface RunOptions {
  /** Metadata of the input. */
  metadata?: Readonly<Record<string, Value>>;
  /** The initial value of root; `Nothing` by default. */
  root?: Value;
  /** Limits that are lower than those of the process, for a template that is trusted less. */
  limits?: Partial<Limits>;
  surroundings?: Surroundings;
  /** Templates that `.apply` finds beside the template's own maps. */
  apply?: ApplyMap;
  /** A run to take fuel, limits and surroundings from, for templates that are parts of one mapping. */
  within?: Run;
}

/** The result of a run. `root` is `Nothing` when nothing was assigned, `Deleted` when the document was dropped. */
export interface RunResult {
  root: Value;
  metadata: Readonly<Record<string, Value>>;
}

/** A compiled template; runs as often as wanted, each run with state of its own. */
export interface CompiledTemplate {
  /** The text that it was compiled from; undefined for one that is a function. */
  readonly source?: string;
  /** Whether results may hold one value many times, so that their size has to be measured. */
  readonly multiplies: boolean;
  /** Whether it may look at this field of its input: by its name, or at the input as a whole. */
  mayRead(field: string): boolean;
  /** Whether its result may depend on this field otherwise than by containing it as part of the input. */
  mayObserve(field: string): boolean;
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
  /** The methods and functions that the template can call; the standard ones by default. */
  environment?: Environment;
  /** Told about every part of the template while it runs, which is then never generated. */
  trace?: Trace | undefined;
}

function compilerOf(source: string, environment: Environment, trace: Trace | undefined): Compiler {
  return trace === undefined
    ? new Compiler(source, environment)
    : new TracingCompiler(source, environment, trace);
}

/** Compiles a template. @throws MappingError with all faults */
export function compileTemplate(
  source: string,
  { generateAfter, environment = standardEnvironment, trace }: CompileOptions = {},
): CompiledTemplate {
  const template = parseTemplate(source);
  const hasMaps = template.maps.size > 0;
  const isMeasured = multiplies(template, environment);
  const closures = compilerOf(source, environment, trace).template(template);
  const tiers = new Adaptive(
    closures,
    () => generateTemplate(() => parseTemplate(source), closures, environment),
    trace === undefined ? generateAfter : Infinity,
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
    source,
    multiplies: isMeasured,
    mayRead: (field) => mayRead(parseTemplate(source), field),
    mayObserve: (field) => mayObserve(parseTemplate(source), field),
    run(input, options = {}) {
      const { within, limits } = options;
      const run = new Run(
        'root' in options ? options.root : Nothing,
        input,
        options.metadata ?? noMetadata,
        within?.limits ?? lowerLimits(limits),
        within?.surroundings ?? options.surroundings ?? systemSurroundings,
        options.apply === undefined ? applyOnlyOwn : applyOwn(options.apply),
      );
      if (within) {
        run.continue(within);
        run.depth = within.depth;
      }
      const before = run.fuelLeft;
      const outer = setMeter(run);
      try {
        tiers.current.main(run, input);
        if (isMeasured && within === undefined) {
          measure(run.root, run);
          measure(run.outputMetadata, run);
        }
      } catch (error) {
        throw toFailure(error);
      } finally {
        setMeter(outer);
        within?.continue(run);
        tiers.note(before - run.fuelLeft);
      }
      return { root: run.root, metadata: run.outputMetadata };
    },
    applyTo(run, target) {
      const before = run.fuelLeft;
      run.root = Nothing;
      tiers.at(run.depth).main(run, target);
      tiers.note(before - run.fuelLeft);
      return run.root;
    },
  };
}

/** Compiles one expression, such as the condition of a select. @throws MappingError */
export function compileQuery(
  source: string,
  { generateAfter, environment = standardEnvironment, trace }: CompileOptions = {},
): (input: Value, options?: RunOptions) => Value {
  const tiers = new Adaptive<Code>(
    compilerOf(source, environment, trace).query(parseQuery(source)),
    () => generateQuery(parseQuery(source), environment),
    trace === undefined ? generateAfter : Infinity,
  );
  return (input, options = {}) => {
    const { metadata = noMetadata, root = Nothing, limits, within } = options;
    const run = new Run(
      root,
      input,
      metadata,
      within?.limits ?? lowerLimits(limits),
      within?.surroundings ?? options.surroundings ?? systemSurroundings,
      options.apply ?? noTemplates,
    );
    if (within) run.continue(within);
    const before = run.fuelLeft;
    const outer = setMeter(run);
    try {
      return tiers.current(run, input, null);
    } catch (error) {
      throw toFailure(error);
    } finally {
      setMeter(outer);
      within?.continue(run);
      tiers.note(before - run.fuelLeft);
    }
  };
}
