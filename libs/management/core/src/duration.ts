import { fault } from './faults.js';

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `24h`, `10m`, `30s`, `7d`; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = units[unit];
  return count === undefined || milliseconds === undefined
    ? undefined
    : Number(count) * milliseconds;
}

/** Reads a duration of a request body, within its bounds. @throws ApiError 400 */
export function readDuration(
  text: string | null | undefined,
  pointer: string,
  bounds: { default: string; min: string; max: string },
): { text: string; milliseconds: number } {
  const chosen = text ?? bounds.default;
  const milliseconds = parseDuration(chosen);
  if (
    milliseconds === undefined ||
    milliseconds < (parseDuration(bounds.min) ?? 0) ||
    milliseconds > (parseDuration(bounds.max) ?? Infinity)
  )
    throw fault(pointer, `must be a duration between ${bounds.min} and ${bounds.max}`, {
      value: chosen,
      remediation: `Write a number and s, m, h or d, such as ${bounds.default}.`,
    });
  return { text: chosen, milliseconds };
}
