/** Bounds of one run. Templates come from strangers, so each resource that a run can use has one. */
export interface Limits {
  /** Steps of the interpreter, each at most some hundred nanoseconds; work on long values takes as many as it is long. */
  fuel: number;
  /** Bytes of the texts, arrays and objects that a run makes, and of its result; shared parts count each time. */
  bytes: number;
  /** Nested calls of apply. */
  depth: number;
  /** Characters of a string, bytes of bytes. */
  stringLength: number;
  /** Elements of an array. */
  arrayLength: number;
  /** Milliseconds of processor time that the process may use while the run goes on. */
  deadlineMs: number;
}

/** Bytes that compressed data may become: fewer than a value may have, because a few bytes can become many. */
const maxUnpackedLength = 8_388_608;

export function unpackedLength({ stringLength }: Limits): number {
  return Math.min(stringLength, maxUnpackedLength);
}

/** The default, and the most that a run can be given: options only lower it. */
export const maxLimits: Limits = {
  fuel: 5_000_000,
  bytes: 83_886_080, // a file of 25 MB as base64, once as a value and once in the result, with some room
  depth: 500,
  stringLength: 37_748_736,
  arrayLength: 500_000,
  deadlineMs: 1_000,
};

let processLimits = maxLimits;

/** Sets the limits of every run in this process, as a percentage of the maximum. */
export function limitProcess(percent: number): void {
  processLimits = shareOfLimits(percent);
}

/** Returns a percentage of the steps, the bytes and the time of a run. Sizes of single values do not grow with the work, and stay. */
export function shareOfLimits(percent: number): Limits {
  const share = (limit: number): number => Math.floor((limit * Math.min(percent, 100)) / 100);
  const { fuel, bytes, deadlineMs } = maxLimits;
  return {
    ...maxLimits,
    fuel: share(fuel),
    bytes: share(bytes),
    deadlineMs: share(deadlineMs),
  };
}

/** Returns the limits of the process, lowered where the given ones are lower. */
export function lowerLimits(limits: Partial<Limits> | undefined): Limits {
  if (limits === undefined) return processLimits;
  const lower = (name: keyof Limits): number =>
    Math.min(processLimits[name], limits[name] ?? Infinity);
  return {
    fuel: lower('fuel'),
    bytes: lower('bytes'),
    depth: lower('depth'),
    stringLength: lower('stringLength'),
    arrayLength: lower('arrayLength'),
    deadlineMs: lower('deadlineMs'),
  };
}
