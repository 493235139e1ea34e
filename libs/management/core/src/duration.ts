import { parseDuration } from '#contract';
import { fault } from './faults.js';

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
