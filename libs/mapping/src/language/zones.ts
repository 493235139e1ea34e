import { payParts } from './meter.js';

/** Steps of asking the host for the offset of a zone; what is remembered costs the same, so that a run does not depend on others. */
const zoneSteps = 80;
const dayMs = 86_400_000;
/** Before, some zones changed at odd seconds, and twice in a day. */
const firstKnown = Date.UTC(1976, 0, 1);
const maxKnownDays = 200;

/** A zone that was asked for: the host's format of its time, and its offset on days without a change. */
interface Zone {
  format: Intl.DateTimeFormat;
  days: Map<number, number | undefined>;
}

const zones = new Map<string, Zone>();

/** Minutes east of UTC in an IANA zone. @throws RangeError for a zone that does not exist. */
export function zoneOffset(zone: string, milliseconds: number): number {
  payParts(zoneSteps);
  const known = zones.get(zone) ?? zoneOf(zone);
  if (milliseconds < firstKnown) return askHost(known, milliseconds);
  const day = Math.floor(milliseconds / dayMs);
  const { days } = known;
  if (!days.has(day)) {
    if (days.size >= maxKnownDays) days.clear();
    const [first, last] = [askHost(known, day * dayMs), askHost(known, (day + 1) * dayMs)];
    days.set(day, first === last ? first : undefined);
  }
  return days.get(day) ?? askHost(known, milliseconds);
}

function zoneOf(zone: string): Zone {
  // Zones have a name in any case: a few hundred, however they are written.
  const name = zone.toLowerCase();
  let known = zones.get(name);
  if (known === undefined) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    known = { format, days: new Map() };
    zones.set(name, known);
  }
  return known;
}

function askHost({ format }: Zone, milliseconds: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(
    parts['year'] ?? 0,
    (parts['month'] ?? 1) - 1,
    parts['day'],
    parts['hour'],
    parts['minute'],
    parts['second'],
  );
  return Math.round((local - Math.floor(milliseconds / 1000) * 1000) / 60_000);
}
