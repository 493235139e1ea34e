import { RunError } from '../../language/run-error.js';
import type { LiteralCall, Method, Returns } from '../../language/specification.js';
import { floorDivide, type Timestamp } from '../../language/timestamp.js';
import { asString, normalize, type Value } from '../../language/values.js';
import { wholeOf } from '../../language/whole-number.js';
import { formatStrftime, goFormatter } from './format-time.js';
import { textOf } from '../text.js';
import { goParser, parseStrptime } from './parse-time.js';
import { inZone } from './time-parts.js';
import { goDuration, isoDuration, momentAt, timestampOf } from './time-values.js';
import { flat } from '../costs.js';

const nano = '2006-01-02T15:04:05.999999999Z07:00';
const tz = { name: 'tz', type: 'string', optional: true } as const;
const format = { name: 'format', type: 'string' } as const;
const duration = [{ name: 'duration', type: 'string' }] as const;

const maxLayoutLength = 1_000;

/** A layout that came as an argument. */
function layoutOf(value: Value): string {
  const text = textOf(value);
  if (text.length > maxLayoutLength)
    throw new RunError(`a layout is at most ${maxLayoutLength} characters long`);
  return text;
}

const zoned = (target: Value, zone: Value): Timestamp =>
  zone === undefined || zone === null
    ? timestampOf(target)
    : inZone(timestampOf(target), textOf(zone));

/** Reading texts by a layout that the template names. */
function prepareParser(show: (time: Timestamp) => Value) {
  return ({ args }: LiteralCall): Method['run'] | undefined => {
    if (!args) return undefined;
    const read = goParser(layoutOf(args[0]));
    return (target) => show(read(asString(target)));
  };
}

/** The unit of a number of time, in nanoseconds; `whole` gives it without integers beyond 2^53. */
interface Unit {
  nanoseconds: bigint;
  name: string;
  whole?: (time: Timestamp) => number;
}

const units = {
  seconds: { nanoseconds: 1_000_000_000n, name: 'Seconds', whole: (time) => time.epochSecond },
  milliseconds: {
    nanoseconds: 1_000_000n,
    name: 'Milliseconds',
    whole: (time) => time.epochMillisecond,
  },
  microseconds: { nanoseconds: 1_000n, name: 'Microseconds' },
  nanoseconds: { nanoseconds: 1n, name: 'Nanoseconds' },
} satisfies Record<string, Unit>;

function unix(name: string, { nanoseconds, name: unit, whole }: Unit, steps: number): Method {
  const second = String(1_000_000_000n / nanoseconds);
  return {
    name,
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps },
    returns: 'small',
    description: `${unit} since 1970.`,
    examples: [[`root = this.${name}()`, '"1970-01-01T00:00:01Z"', second]],
    expects: 'timestamp',
    run: (target) => {
      const time = timestampOf(target);
      return whole ? whole(time) : normalize(floorDivide(time.nanoseconds, nanoseconds));
    },
  };
}

function formatting(name: string, returns: Returns): Method {
  return {
    name,
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns,
    description: 'As text by a reference-time layout, in a zone.',
    parameters: [{ ...format, default: nano }, tz],
    examples: [
      [`root = this.${name}("2006-01-02", "UTC")`, '"2026-01-31T12:00:00Z"', '"2026-01-31"'],
    ],
    expects: 'timestamp',
    run: (target, [layout, zone]) => goFormatter(layoutOf(layout))(zoned(target, zone)),
    prepare: ({ args }) => {
      if (!args) return undefined;
      const [layout, zone] = args;
      const write = goFormatter(layoutOf(layout));
      return (target) => write(zoned(target, zone));
    },
  };
}

function strftime(name: string, returns: Returns): Method {
  return {
    name,
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns,
    description: 'As text by strftime verbs, in a zone.',
    parameters: [format, tz],
    examples: [
      [`root = this.${name}("%Y-%b-%d", "UTC")`, '"2020-08-14T11:50:26Z"', '"2020-Aug-14"'],
    ],
    run: (target, [layout, zone]) => formatStrftime(zoned(target, zone), layoutOf(layout)),
  };
}

function move(name: string, sign: 1 | -1): Method {
  return {
    name,
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 20 },
    returns: 'small',
    description: 'Moved by an ISO 8601 duration, by the calendar.',
    parameters: duration,
    examples: [
      [
        `root = this.${name}("P1D")`,
        '"2020-08-14T05:54:23Z"',
        sign > 0 ? '"2020-08-15T05:54:23Z"' : '"2020-08-13T05:54:23Z"',
      ],
    ],
    run: (target, [text]) => {
      const time = timestampOf(target);
      const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
        isoDuration(textOf(text));
      const offset = BigInt(time.offsetMinutes) * 60_000_000_000n;
      const local = time.nanoseconds + offset;
      const second = floorDivide(local, 1_000_000_000n);
      const date = new Date(Number(second) * 1000);
      date.setUTCFullYear(
        date.getUTCFullYear() + sign * Math.trunc(years),
        date.getUTCMonth() + sign * Math.trunc(months),
        date.getUTCDate() + sign * Math.trunc(weeks * 7 + days),
      );
      const rest = Math.round((hours * 3600 + minutes * 60 + seconds) * 1e9);
      if (!Number.isFinite(date.getTime() + rest)) throw new RunError('the duration is too long');
      return momentAt(
        BigInt(date.getTime()) * 1_000_000n +
          (local - second * 1_000_000_000n) -
          offset +
          BigInt(sign) * BigInt(rest),
        time.zone,
      );
    },
  };
}

const averages = [31_556_952, 2_629_746, 604_800, 86_400, 3_600, 60, 1];

export const timeMethods: readonly Method[] = [
  {
    name: 'ts_parse',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns: 'small',
    description: 'Reads a text by a reference-time layout.',
    parameters: [format],
    examples: [['root = this.ts_parse("2006-Jan-02")', '"2020-Aug-14"', '"2020-08-14T00:00:00Z"']],
    expects: 'string',
    run: (target, [layout]) => goParser(layoutOf(layout))(asString(target)),
    prepare: prepareParser((time) => time),
  },
  {
    name: 'ts_strptime',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns: 'small',
    description: 'Reads a text by strptime verbs.',
    parameters: [format],
    examples: [['root = this.ts_strptime("%Y-%b-%d")', '"2020-Aug-14"', '"2020-08-14T00:00:00Z"']],
    run: (target, [layout]) => parseStrptime(asString(target), layoutOf(layout)),
  },
  {
    name: 'parse_timestamp',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns: 'made',
    description: 'Reads a text by a reference-time layout and gives RFC 3339.',
    parameters: [format],
    examples: [
      ['root = this.parse_timestamp("2006-Jan-02")', '"2020-Aug-14"', '"2020-08-14T00:00:00Z"'],
    ],
    run: (target, [layout]) => goParser(layoutOf(layout))(asString(target)).toString(),
    prepare: prepareParser(String),
  },
  {
    name: 'parse_timestamp_strptime',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 70 },
    returns: 'made',
    description: 'Reads a text by strptime verbs and gives RFC 3339.',
    parameters: [format],
    examples: [
      [
        'root = this.parse_timestamp_strptime("%Y-%b-%d")',
        '"2020-Aug-14"',
        '"2020-08-14T00:00:00Z"',
      ],
    ],
    run: (target, [layout]) => parseStrptime(asString(target), layoutOf(layout)).toString(),
  },
  formatting('ts_format', 'small'),
  formatting('format_timestamp', 'made'),
  strftime('ts_strftime', 'small'),
  strftime('format_timestamp_strftime', 'made'),
  unix('ts_unix', units.seconds, 60),
  unix('format_timestamp_unix', units.seconds, 20),
  unix('ts_unix_milli', units.milliseconds, 60),
  unix('format_timestamp_unix_milli', units.milliseconds, 20),
  unix('ts_unix_micro', units.microseconds, 60),
  unix('format_timestamp_unix_micro', units.microseconds, 20),
  unix('ts_unix_nano', units.nanoseconds, 60),
  unix('format_timestamp_unix_nano', units.nanoseconds, 20),
  {
    name: 'ts_tz',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 60 },
    returns: 'small',
    description: 'The same moment in another zone.',
    parameters: [{ name: 'tz', type: 'string' }],
    examples: [
      [
        'root = this.ts_tz("America/New_York")',
        '"2021-02-03T17:05:06Z"',
        '"2021-02-03T12:05:06-05:00"',
      ],
    ],
    run: (target, [zone]) => inZone(timestampOf(target), textOf(zone)),
  },
  {
    name: 'ts_round',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 60 },
    returns: 'small',
    description: 'Rounded to so many nanoseconds, halves up.',
    parameters: [{ name: 'duration', type: 'integer' }],
    examples: [
      [
        'root = this.ts_round("1h".parse_duration())',
        '"2020-08-14T05:54:23Z"',
        '"2020-08-14T06:00:00Z"',
      ],
    ],
    run: (target, [text]) => {
      const step = wholeOf(text as number | bigint);
      const time = timestampOf(target);
      if (step <= 0n) return time;
      const zero = -62_135_596_800_000_000_000n; // rounding counts from the year 1
      const since = time.nanoseconds - zero;
      const rest = since % step;
      return momentAt(time.nanoseconds - rest + (rest * 2n >= step ? step : 0n), time.zone);
    },
  },
  {
    name: 'ts_sub',
    check: ([other]) => void timestampOf(other),
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 60 },
    returns: 'small',
    description: 'Nanoseconds between this and another time.',
    parameters: [{ name: 't2', type: 'timestamp' }],
    examples: [
      [
        'root = this.started.ts_sub(this.ended).abs()',
        '{"ended":"2020-08-13T05:54:24Z","started":"2020-08-13T05:54:23Z"}',
        '1000000000',
      ],
    ],
    run: (target, [other]) =>
      normalize(timestampOf(target).nanoseconds - timestampOf(other).nanoseconds),
  },
  move('ts_add_iso8601', 1),
  move('ts_sub_iso8601', -1),
  {
    name: 'parse_duration',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 20, nanoseconds: 300 },
    returns: 'small',
    description: 'Nanoseconds of a duration such as 1h30m.',
    examples: [['root = this.parse_duration()', '"1m"', '60000000000']],
    run: (target) => normalize(goDuration(asString(target))),
  },
  {
    name: 'parse_duration_iso8601',
    category: 'time',
    purity: 'pure',
    cost: { ...flat, steps: 20 },
    returns: 'small',
    description: 'Nanoseconds of an ISO 8601 duration, years and months by their average.',
    examples: [['root = this.parse_duration_iso8601()', '"PT1.5M"', '90000000000']],
    run: (target) => {
      const seconds = isoDuration(asString(target)).reduce(
        (sum, field, index) => sum + field * (averages[index] as number),
        0,
      );
      const nanoseconds = Math.round(seconds * 1e9);
      if (!Number.isFinite(nanoseconds)) throw new RunError('the duration is too long');
      return normalize(BigInt(nanoseconds));
    },
  },
];
