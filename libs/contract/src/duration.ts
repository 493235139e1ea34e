const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `24h`, `10m`, `30s`, `7d`; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = units[unit];
  return count === undefined || milliseconds === undefined
    ? undefined
    : Number(count) * milliseconds;
}
