const sizes = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 kB`, `200 kB`: sizes everywhere in the console and the Connect UI. */
export function bytes(count: number): string {
  const step = Math.min(
    sizes.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)),
  );
  const value = count / 1_000 ** step;
  return `${short(value)} ${sizes[step] ?? ''}`;
}

/** With one digit behind the point, if it is not zero. */
function short(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** `1 record`, `1,200 records` */
export function records(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`;
}

/** How many records a second are read since a time; undefined within the first second, of which nothing follows. */
export function rate(count: number, since: string, now = Date.now()): string | undefined {
  const elapsed = (now - Date.parse(since)) / 1_000;
  return elapsed < 1 ? undefined : `${short(count / elapsed)} per second`;
}

/** `2.7 s` or `35 ms`, of microseconds. */
export function seconds(microseconds: number): string {
  if (microseconds < 1_000_000) return `${Math.round(microseconds / 1_000)} ms`;
  const value = microseconds / 1_000_000;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}
