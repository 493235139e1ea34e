const sizes = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `12.3 kB` */
export function bytes(count: number): string {
  const step = Math.min(
    sizes.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)),
  );
  const value = count / 1_000 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${sizes[step] ?? ''}`;
}

/** `2.7 s` or `35 ms`, of microseconds. */
export function seconds(microseconds: number): string {
  if (microseconds < 1_000_000) return `${Math.round(microseconds / 1_000)} ms`;
  const value = microseconds / 1_000_000;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}
