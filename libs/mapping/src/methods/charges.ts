import { keySteps } from '../language/meter.js';
import { maxSmallText, type Run } from '../language/run.js';
import { textBytes } from '../language/text-bytes.js';
import type { Function, Method } from '../language/specification.js';
import { isObject, type Value } from '../language/values.js';

/** How much of a value a call walks: nothing; its own characters, elements or keys; or all that is in it. */
type Walk = 'none' | 'flat' | 'deep';

/** The price of a call beside what it charges itself: walks before it, the memory of the result after it. */
interface Charge {
  target: Walk;
  arguments: Walk;
  result: Walk;
  /** Steps of each call. */
  steps: number;
  /** Nanoseconds for each character of a text that is walked. */
  nanoseconds: number;
}

/** Nanoseconds for each character of a text that is walked; of one whose case changes, and of one that is replaced. */
export const defaultNanoseconds = 2;
export const caseNanoseconds = 10;
export const replaceNanoseconds = 10;
/** The same for what is put into a form. */
export const formatNanoseconds = 60;

/** A step stands for 128 nanoseconds: dividing by it is a shift. */
const stepBits = 7;

/** Steps of walking a text. */
export function textSteps(length: number, nanoseconds: number): number {
  const time = length * nanoseconds;
  return time < 0x7fffffff ? time >> stepBits : Math.floor(time / 2 ** stepBits);
}

/** The price of a method that is not named below: as much as any method can need. */
const defaultCharge: Charge = {
  target: 'deep',
  arguments: 'deep',
  result: 'deep',
  steps: 0,
  nanoseconds: defaultNanoseconds,
};

const free: Partial<Charge> = { target: 'none', arguments: 'none', result: 'none' };
/** Texts, arrays and keys are walked once, and the result is not deeper than that. */
const flat: Partial<Charge> = { target: 'flat', arguments: 'flat', result: 'flat' };

/**
 * Methods and functions that cost less than the default, or more. Those that walk only where their arguments lead, call queries or
 * read patterns are `free` here and pay as they go. The figures are measured by `npm run fuzz -- mapping --hostile`.
 */
const charges: readonly [names: string, charge: Partial<Charge>][] = [
  ['map catch or apply not type array not_null index length get exists string', free],
  ['map_each filter any all find_by find_all_by sort find find_all map_each_key', free],
  ['fold', { ...free, steps: 20 }],
  ['without with merge assign squash explode', { ...free, steps: 10 }],
  ['re_match re_find_all re_find_all_submatch re_find_object re_find_all_object', free],
  ['re_replace re_replace_all json_path', free],
  ['abs ceil floor round cos sin tan log log10 pow bitwise_and bitwise_or bitwise_xor', free],
  ['int8 int16 int32 int64 uint8 uint16 uint32 uint64', free],
  ['number bool timestamp float64 float32 not_empty has_prefix has_suffix index_of', flat],
  ['slice trim trim_prefix trim_suffix concat flatten', flat],
  ['replace replace_all', { ...flat, nanoseconds: replaceNanoseconds }],
  ['contains sum min max enumerated zip sort_by', flat],
  ['unique', { ...flat, target: 'deep' }],
  ['format', { nanoseconds: formatNanoseconds }],
  ['filepath_join', { nanoseconds: 60, result: 'flat' }],
  ['collapse', { nanoseconds: 10, steps: 20 }],
  ['keys values key_values', { ...free, result: 'flat' }],
  ['append', { ...flat, arguments: 'none' }],
  ['uppercase lowercase', { ...flat, nanoseconds: caseNanoseconds }],
  ['reverse', { ...flat, nanoseconds: 40 }],
  ['capitalize escape_html unescape_html quote unquote', { ...flat, nanoseconds: 100 }],
  ['escape_url_query escape_url_path', { ...flat, nanoseconds: 60 }],
  ['unescape_url_query unescape_url_path filepath_split', { ...flat, nanoseconds: 40 }],
  ['repeat', { ...flat, nanoseconds: 5 }],
  ['quote_with', { ...flat, nanoseconds: replaceNanoseconds }],
  [
    'replace_many replace_all_many',
    { target: 'flat', result: 'flat', nanoseconds: replaceNanoseconds },
  ],
  ['encode decode', { ...flat, nanoseconds: 4 }], // slower encodings pay the rest themselves
  ['hash', { ...flat, nanoseconds: 60, steps: 40 }],
  ['encrypt_aes decrypt_aes', { ...flat, nanoseconds: 10, steps: 100 }],
  ['slug', { ...flat, nanoseconds: 300, steps: 90 }],
  ['strip_html', { ...flat, nanoseconds: 150, steps: 20 }],
  ['unicode_segments', { ...flat, nanoseconds: 3_000, steps: 60 }],
  ['split', { ...flat, nanoseconds: 10 }],
  ['join bytes', { result: 'flat' }],
  ['compress decompress', { ...flat, nanoseconds: 60, steps: 200 }],
  ['uuid_v5', { ...flat, nanoseconds: 10, steps: 80 }],
  ['ts_parse ts_strptime parse_timestamp parse_timestamp_strptime', { ...flat, steps: 70 }],
  ['ts_format format_timestamp ts_strftime format_timestamp_strftime', { ...flat, steps: 70 }],
  [
    'ts_unix ts_unix_milli ts_unix_micro ts_unix_nano ts_tz ts_round ts_sub',
    { ...flat, steps: 60 },
  ],
  ['format_timestamp_unix format_timestamp_unix_milli', { ...flat, steps: 20 }],
  ['format_timestamp_unix_micro format_timestamp_unix_nano', { ...flat, steps: 20 }],
  ['ts_add_iso8601 ts_sub_iso8601 parse_duration_iso8601', { ...flat, steps: 20 }],
  ['parse_duration', { ...flat, steps: 20, nanoseconds: 300 }],
  ['parse_json', { nanoseconds: 30, steps: 60 }],
  ['json_schema', { steps: 160 }],
  ['parse_xml', { nanoseconds: 100, steps: 100 }],
  ['parse_html', { nanoseconds: 200, steps: 60 }],
  ['parse_markdown', { nanoseconds: 3_000, steps: 100 }],
  ['parse_csv', { nanoseconds: 30 }],
  ['parse_form_url_encoded parse_logfmt parse_url', { nanoseconds: 60, steps: 10 }],
  ['parse_yaml', { nanoseconds: 3_000, steps: 200 }],
  ['format_yaml', { nanoseconds: 100, steps: 500 }],
  ['parse_msgpack', { nanoseconds: 100 }],
  ['var() deleted() nothing() pi() throw() batch_index() batch_size() error() errored()', free],
  ['error_source_label() error_source_name() error_source_path()', free],
  ['tracing_id() tracing_span()', free],
];

const known: ReadonlyMap<string, Charge> = new Map(
  charges.flatMap(([names, charge]) =>
    names.split(/\s+/).map((name) => [name, { ...defaultCharge, ...charge }] as const),
  ),
);

/** The method, paying for what it walks before it does, and for its result. */
export function chargedMethod(method: Method): Method {
  const charge = known.get(method.name) ?? defaultCharge;
  if (isFree(charge)) return method;
  const { prepare } = method;
  return {
    ...method,
    steps: charge.steps,
    run: charged(method.run, charge),
    ...(prepare && {
      prepare: (call) => {
        const run = prepare(call);
        return run && charged(run, charge);
      },
    }),
  };
}

function charged(call: Method['run'], charge: Charge): Method['run'] {
  return (target, args, run) => {
    if (charge.steps > 0) run.spend(charge.steps);
    if (charge.target !== 'none') payWalk(target, charge.target, charge.nanoseconds, run);
    if (charge.arguments !== 'none') payArguments(args, charge, run);
    const result = call(target, args, run);
    if (charge.result !== 'none') payResult(result, charge.result, run);
    return result;
  };
}

/** The function, paying likewise. */
export function chargedFunction(one: Function): Function {
  const charge = known.get(`${one.name}()`) ?? defaultCharge;
  const { run: call } = one;
  if (isFree(charge)) return one;
  return {
    ...one,
    run: (args, run, self) => {
      if (charge.steps > 0) run.spend(charge.steps);
      if (charge.arguments !== 'none') payArguments(args, charge, run);
      const result = call(args, run, self);
      if (charge.result !== 'none') payResult(result, charge.result, run);
      return result;
    },
  };
}

function isFree({ target, arguments: given, result, steps }: Charge): boolean {
  return steps === 0 && [target, given, result].every((walk) => walk === 'none');
}

function payArguments(args: readonly Value[], charge: Charge, run: Run): void {
  for (const one of args)
    if (typeof one !== 'function') payWalk(one, charge.arguments, charge.nanoseconds, run);
}

function payWalk(value: Value, walk: Walk, nanoseconds: number, run: Run): void {
  if (typeof value === 'string' || value instanceof Uint8Array)
    run.spend(textSteps(value.length, nanoseconds));
  else if (Array.isArray(value)) {
    // Copying an array takes an eighth of a step for each element.
    run.spend(walk === 'deep' ? value.length + 1 : value.length >> 3);
    if (walk === 'deep') for (const one of value as Value[]) payWalk(one, walk, nanoseconds, run);
  } else if (isObject(value)) {
    const keys = Object.keys(value);
    run.spend(keySteps(keys.length) + 1);
    if (walk === 'deep') for (const key of keys) payWalk(value[key], walk, nanoseconds, run);
  }
}

/** Pays for the memory of a result, and refuses what is larger than a value may be. */
function payResult(value: Value, walk: Walk, run: Run): void {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    if (value.length > run.limits.stringLength) run.string(value.length);
    if (value.length > maxSmallText)
      run.hold(typeof value === 'string' ? textBytes(value) : value.length);
  } else if (Array.isArray(value)) {
    if (value.length > run.limits.arrayLength) run.array(value.length);
    run.holdArray(value.length);
    if (walk === 'deep') payParts(value as Value[], run);
  } else if (isObject(value)) {
    if (walk === 'deep') {
      const parts = Object.values(value);
      run.spend(keySteps(parts.length));
      payParts(parts, run);
    } else payFields(Object.keys(value).length, run);
  }
}

function payFields(count: number, run: Run): void {
  run.spend(keySteps(count));
  run.holdFields(count);
}

/** Bytes of an array or object beside what is in it, and of an element or field. */
const containerBytes = 48;
const partBytes = 16;

function payParts(parts: readonly Value[], run: Run): void {
  run.spend(parts.length + 1);
  run.hold(containerBytes + partBytes * parts.length);
  for (const one of parts)
    if (typeof one === 'object' || typeof one === 'string') payResult(one, 'deep', run);
}
