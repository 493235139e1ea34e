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
