import {
  Deleted,
  getKey,
  normalize,
  Nothing,
  type ObjectValue,
  type Value,
} from '../language/values.js';
import { dotPath, readDotPath } from '../language/dot-path.js';
import { formatJson } from '../language/json.js';
import type { Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Function, Refused } from '../language/specification.js';
import { copy } from './collections/copy.js';
import { idFunctions } from './id-functions.js';
import { textOf } from './text.js';
import { atMillisecond } from './times/time-values.js';
import { deep, free } from './costs.js';

const optionalKey = [{ name: 'key', type: 'string', default: '' }] as const;

function stringified(record: Readonly<ObjectValue>, key: Value): Value {
  if (key !== '') {
    const value = getKey(record, textOf(key));
    return value === null ? null : textOf(value);
  }
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));
}

function unixTime(divisor: bigint): (run: Run) => Value {
  return (run) => normalize((BigInt(run.surroundings.now()) * 1_000_000n) / divisor);
}

/** All functions. */
export const functions: readonly Function[] = [
  {
    name: 'deleted',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'Removes what it is assigned to.',
    examples: [['root = this\nroot.a = deleted()', '{"a":1,"b":2}', '{"b":2}']],
    run: () => Deleted,
  },
  {
    name: 'nothing',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'Skips the assignment.',
    examples: [['root.a = nothing()\nroot.b = 1', '{}', '{"b":1}']],
    run: () => Nothing,
  },
  {
    name: 'pi',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'The number pi.',
    examples: [['root = pi().round()', '{}', '3']],
    run: () => Math.PI,
  },
  {
    name: 'throw',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'Fails with a text.',
    parameters: [{ name: 'why', type: 'string' }],
    examples: [['root.a = throw("no").catch(this)', '{}', '{"a":"no"}']],
    run: ([why]) => {
      throw new RunError(textOf(why), textOf(why));
    },
  },
  {
    name: 'var',
    purity: 'run',
    cost: free,
    description: 'A variable by its name.',
    parameters: [{ name: 'name', type: 'string' }],
    examples: [['let a = 1\nroot = var("a")', '{}', '1']],
    run: ([name], run) => {
      const value = run.variables.get(textOf(name));
      if (value === undefined) throw new RunError(`variable '${String(name)}' undefined`);
      return value;
    },
  },
  {
    name: 'range',
    purity: 'pure',
    cost: { ...deep, own: 'size' },
    description: 'Integers from start up to, not including, stop.',
    parameters: [
      { name: 'start', type: 'integer' },
      { name: 'stop', type: 'integer' },
      { name: 'step', type: 'integer', default: 1 },
    ],
    examples: [['root = range(0, 5, 2)', '{}', '[0,2]']],
    run: (args, run) => {
      const [start = 0, stop = 0, step = 1] = args.map((one) => Math.trunc(Number(one)));
      if (step === 0) throw new RunError('step must not be 0');
      if (step > 0 ? start >= stop : start <= stop)
        throw new RunError(
          step > 0
            ? 'with positive step arg stop must be greater than start'
            : 'with negative step arg stop must be less than start',
        );
      const count = Math.floor((stop - start) / step);
      run.array(count);
      return Array.from({ length: count }, (_one, index) => start + index * step);
    },
  },
  {
    name: 'bytes',
    purity: 'pure',
    cost: { ...deep, own: 'size' },
    description: 'That many zero bytes.',
    parameters: [{ name: 'length', type: 'integer' }],
    examples: [['root = bytes(2).encode("hex")', '{}', '"0000"']],
    run: ([length], run) => {
      const count = Number(length);
      if (count < 0) throw new RunError('the length of bytes cannot be negative');
      run.string(count);
      return Buffer.alloc(count);
    },
  },
  {
    name: 'content',
    purity: 'run',
    cost: deep,
    description: 'The input document as bytes.',
    examples: [['root = content().string()', '{"a":1}', '"{\\"a\\":1}"']],
    run: (_args, run) => {
      const text = typeof run.input === 'string' ? run.input : formatJson(run.input);
      run.string(text.length);
      return Buffer.from(text);
    },
  },
  {
    name: 'json',
    purity: 'run',
    cost: deep,
    returns: 'made',
    description: 'A field of the input by its dot path, whatever `this` is.',
    parameters: [{ name: 'path', type: 'string', default: '' }],
    examples: [['root = this.list.map_each(json("name"))', '{"list":[1],"name":"x"}', '["x"]']],
    run: ([path], run) => copy(readDotPath(run.input, dotPath(textOf(path))) ?? null, run),
  },
  {
    name: 'metadata',
    purity: 'run',
    cost: deep,
    returns: 'made',
    description: 'A metadata value of the input.',
    parameters: optionalKey,
    examples: [['meta a = 1\nroot = metadata("a")', '{}', 'null']],
    run: ([key], run) =>
      key === '' ? copy(run.inputMetadata, run) : getKey(run.inputMetadata, textOf(key)),
  },
  {
    name: 'meta',
    purity: 'run',
    cost: deep,
    returns: 'made',
    description: 'A metadata value of the input as text.',
    parameters: optionalKey,
    examples: [['meta a = 1\nroot = meta("a")', '{}', 'null']],
    run: ([key], run) => stringified(run.inputMetadata, key),
  },
  {
    name: 'root_meta',
    purity: 'run',
    cost: deep,
    description: 'A metadata value of the output as text.',
    parameters: optionalKey,
    examples: [['meta a = 1\nroot = root_meta("a")', '{}', '"1"']],
    run: ([key], run) => stringified(run.metadata, key),
  },
  {
    name: 'now',
    purity: 'clock',
    cost: free,
    returns: 'small',
    description: 'The time of the run in RFC 3339.',
    examples: [['root = now().re_match("^\\\\d{4}-\\\\d{2}-\\\\d{2}T")', '{}', 'true']],
    run: (_args, run) => atMillisecond(run.surroundings.now()).toString(),
  },
  {
    name: 'timestamp_unix',
    purity: 'clock',
    cost: free,
    returns: 'small',
    description: 'Seconds since 1970.',
    examples: [['root = timestamp_unix().type()', '{}', '"number"']],
    run: (_args, run) => unixTime(1_000_000_000n)(run),
  },
  {
    name: 'timestamp_unix_milli',
    purity: 'clock',
    cost: free,
    returns: 'small',
    description: 'Milliseconds since 1970.',
    examples: [['root = timestamp_unix_milli().type()', '{}', '"number"']],
    run: (_args, run) => unixTime(1_000_000n)(run),
  },
  {
    name: 'timestamp_unix_micro',
    purity: 'clock',
    cost: free,
    description: 'Microseconds since 1970.',
    examples: [['root = timestamp_unix_micro().type()', '{}', '"number"']],
    run: (_args, run) => unixTime(1_000n)(run),
  },
  {
    name: 'timestamp_unix_nano',
    purity: 'clock',
    cost: free,
    description: 'Nanoseconds since 1970.',
    examples: [['root = timestamp_unix_nano().type()', '{}', '"number"']],
    run: (_args, run) => unixTime(1n)(run),
  },
  ...idFunctions,
  {
    name: 'batch_index',
    purity: 'pure',
    cost: free,
    description: 'Always 0: there is one document.',
    examples: [['root = batch_index()', '{}', '0']],
    run: () => 0,
  },
  {
    name: 'batch_size',
    purity: 'pure',
    cost: free,
    description: 'Always 1: there is one document.',
    examples: [['root = batch_size()', '{}', '1']],
    run: () => 1,
  },
  {
    name: 'error',
    purity: 'pure',
    cost: free,
    description: 'Always null: documents carry no failure.',
    examples: [['root = error()', '{}', 'null']],
    run: () => null,
  },
  {
    name: 'errored',
    purity: 'pure',
    cost: free,
    description: 'Always false: documents carry no failure.',
    examples: [['root = errored()', '{}', 'false']],
    run: () => false,
  },
  {
    name: 'error_source_label',
    purity: 'pure',
    cost: free,
    description: 'Always null.',
    examples: [['root = error_source_label()', '{}', 'null']],
    run: () => null,
  },
  {
    name: 'error_source_name',
    purity: 'pure',
    cost: free,
    description: 'Always null.',
    examples: [['root = error_source_name()', '{}', 'null']],
    run: () => null,
  },
  {
    name: 'error_source_path',
    purity: 'pure',
    cost: free,
    description: 'Always null.',
    examples: [['root = error_source_path()', '{}', 'null']],
    run: () => null,
  },
  {
    name: 'tracing_id',
    purity: 'pure',
    cost: free,
    description: 'Always empty.',
    examples: [['root = tracing_id()', '{}', '""']],
    run: () => '',
  },
  {
    name: 'tracing_span',
    purity: 'pure',
    cost: free,
    description: 'Always null.',
    examples: [['root = tracing_span()', '{}', 'null']],
    run: () => null,
  },
];

export const refusedFunctions: Refused = {
  count: 'it counts across all templates of the process',
  counter: 'it keeps state between runs',
  env: 'templates do not read the environment',
  fake: 'mappings map what is there',
  file: 'templates do not read files',
  file_rel: 'templates do not read files',
  hostname: 'templates do not read the environment',
  with_schema_registry_header: 'there is no schema registry',
};
