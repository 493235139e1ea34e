import { signal } from '@preact/signals';

/** Whether times are shown in UTC; otherwise in the time zone of the browser. */
export const isUtc = signal(sessionStorage.getItem('onefold.utc') === 'yes');

export function toggleUtc(): void {
  isUtc.value = !isUtc.value;
  sessionStorage.setItem('onefold.utc', isUtc.value ? 'yes' : 'no');
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 min. ago`, `in 5 days`, `now` */
export function ago(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1_000;
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return relative.format(0, 'second');
}

/** How long it is between two times: `3 days`, `5 minutes`, `12 seconds`. */
export function duration(from: string, until: string): string {
  const seconds = Math.max(0, (Date.parse(until) - Date.parse(from)) / 1_000);
  const [unit, size] = units.find(([, one]) => seconds >= one) ?? ['second', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(seconds / size),
  );
}

/** `22 Nov 2026, 23:14:48 UTC` */
export function fullTime(time: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(isUtc.value ? { timeZone: 'UTC' } : {}),
  })
    .format(new Date(time))
    .concat(isUtc.value ? ' UTC' : '');
}

/** A time as people say it, with the exact one beside it. */
export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={fullTime(time)}>
      {ago(time)}
    </time>
  );
}

/** The exact time, in the zone that the person has chosen. */
export function Exact({ time }: { time: string }) {
  return <time dateTime={time}>{fullTime(time)}</time>;
}
