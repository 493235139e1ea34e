import type { MappedRecord } from './mapped-records.js';

const isoPattern =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?/g;
const mailPattern = /\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})/g;
const numberPattern = /(?<![\d.])\d{9,19}(?:\.\d+)?(?:[eE]\+?\d+)?(?![\d])/g;
/** Smallest and largest number of seconds that is taken for a time: 1990 to 2100. */
const [minSeconds, maxSeconds] = [631_152_000, 4_102_444_800];
const offsetPattern = /(?:Z|[+-]\d\d:?\d\d)$/;

interface Time {
  place: string;
  /** Seconds since 1970. */
  at: number;
  /** The offset of a text, such as `+02:00`. */
  offset: string | undefined;
}

/**
 * Finds times that are none of the vendor's: each time of a record must be the instant of one that the vendor's record has, with its offset.
 * A mapping that reads a time in a zone that it is not in moves it by hours.
 * @param all everything that the vendor sent, because some records get values of others
 * @param now the time of the fake, in epoch milliseconds: records of a state have the time of the call, or of this machine
 */
export function compareTimes(
  mapped: readonly MappedRecord[],
  { all, now }: { all: string; now: number },
): { faults: string[]; compared: number } {
  const faults = new Set<string>();
  let compared = 0;
  const everywhere = instantsIn(all);
  for (const { source, record } of mapped) {
    const own = instantsIn(JSON.stringify(source));
    for (const { place, at, offset } of timesOf(record)) {
      if ([now, Date.now()].some((one) => Math.abs(at - one / 1000) < maxAgeSeconds)) continue;
      compared += 1;
      const offsets = own.get(at) ?? everywhere.get(at);
      if (offsets === undefined) faults.add(`${place} is at a time that the vendor has not sent`);
      else if (offset !== undefined && offsets.size > 0 && !offsets.has(offset))
        faults.add(`${place} has the offset ${offset}, the vendor's has ${[...offsets].join()}`);
    }
  }
  return { faults: [...faults], compared };
}

/** The calls of a check take less on the clock of a fake. */
const maxAgeSeconds = 3_000;

/** Times of a record of ours: texts of ISO 8601, and numbers that OCSF names as times. What it keeps of the vendor's is left out. */
function timesOf(value: unknown, place = ''): Time[] {
  if (Array.isArray(value)) return value.flatMap((one) => timesOf(one, `${place}/*`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) =>
      ['raw_data', 'unmapped'].includes(name) ? [] : timesOf(one, `${place}/${name}`),
    );
  if (typeof value === 'number' && /(?:\/|_)time$/.test(place))
    return [{ place, at: Math.floor(value / 1000), offset: undefined }];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d\S*$/.test(value)) return [];
  return [{ place, at: secondsOf(value), offset: offsetOf(value) }];
}

/** The instants in a text, in seconds, with the offsets that they are written with. */
function instantsIn(text: string): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  const add = (at: number, offset?: string) => {
    const offsets = found.get(at) ?? new Set();
    if (offset !== undefined) offsets.add(offset);
    found.set(at, offsets);
  };
  for (const [written] of text.matchAll(isoPattern)) add(secondsOf(written), offsetOf(written));
  for (const [written] of text.matchAll(mailPattern)) add(Math.floor(Date.parse(written) / 1000));
  for (const [written] of text.matchAll(numberPattern))
    for (const unit of [1, 1e3, 1e6, 1e9]) {
      const seconds = Math.floor(Number(written) / unit);
      if (seconds > minSeconds && seconds < maxSeconds) add(seconds);
    }
  return found;
}

/** Reads a text of ISO 8601; one without an offset is in UTC. */
function secondsOf(text: string): number {
  const [date, time] = [text.slice(0, 10), text.slice(11).replace(',', '.') || '00:00'];
  const zoned = time.replace(/ ?UTC$/, 'Z').replace(' ', '');
  const whole = /(?:Z|[+-]\d\d:?\d\d)$/.test(zoned) ? zoned : `${zoned}Z`;
  return Math.floor(Date.parse(`${date}T${whole}`) / 1000);
}

function offsetOf(text: string): string | undefined {
  const [offset] = offsetPattern.exec(text.includes('T') ? text : '') ?? [];
  if (offset === undefined || offset === 'Z') return offset;
  const colon = offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  return colon === '+00:00' ? 'Z' : colon;
}
