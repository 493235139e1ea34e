import { badRequest, parseDuration } from '#contract';
import type { JobSchedule } from '#store';

/** How long a run may take, from its first page on, and how much it may read. */
export interface RunLimits {
  durationMs: number;
  pages: number;
  /** Bytes that the sink has taken. */
  bytes: number;
}

type Lowered = JobSchedule['run_limits'];

/** Returns the limits of a run: those of the installation, as far as its schedule does not lower them. */
export function limitsOf(installation: RunLimits, lowered: Lowered): RunLimits {
  const { max_duration: duration, max_pages: pages, max_bytes: bytes } = lowered ?? {};
  return {
    durationMs: Math.min(
      installation.durationMs,
      (duration ? parseDuration(duration) : undefined) ?? Infinity,
    ),
    pages: Math.min(installation.pages, pages ?? Infinity),
    bytes: Math.min(installation.bytes, bytes ?? Infinity),
  };
}

/** Says which limit a run that is to go on has reached; undefined if none. */
export function describeReachedLimit(
  { startedAt, inBytes }: { startedAt: Date | null; inBytes: number },
  pages: number,
  limits: RunLimits,
  now: Date,
): string | undefined {
  const elapsedMs = startedAt === null ? 0 : now.getTime() - startedAt.getTime();
  const reached =
    (elapsedMs >= limits.durationMs && `${limits.durationMs / 1_000} s`) ||
    (pages >= limits.pages && `${limits.pages} pages`) ||
    (inBytes >= limits.bytes && `${limits.bytes} bytes`);
  if (!reached) return undefined;
  return `the run reached its limit of ${reached}, and the list goes on: narrow its filters, or raise run_limits of the schedule or the limit of the installation`;
}

/** Checks limits of a schedule. @throws ApiError 400 */
export function checkRunLimits(lowered: Lowered, pointer: string): void {
  for (const [name, value] of Object.entries(lowered ?? {})) {
    if (value === null || value === undefined) continue;
    const amount = typeof value === 'string' ? (parseDuration(value) ?? 0) : value;
    if (amount > 0) continue;
    const isDuration = name === 'max_duration';
    throw badRequest({
      location: 'body',
      pointer: `${pointer}/${name}`,
      value,
      message: isDuration ? 'is not a valid duration' : 'must be at least 1',
      remediation: isDuration
        ? 'Write a number and s, m, h or d, such as 2h.'
        : 'Leave it out for the limit of the installation.',
    });
  }
}
