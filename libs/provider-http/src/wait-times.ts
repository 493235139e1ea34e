/** A header of a provider that says when the next call may come. */
export interface ResetHeader {
  header: string;
  unit: 'seconds' | 'epoch' | 'epoch_ms' | 'date';
}

/**
 * How long a provider wants us to wait, in milliseconds: `Retry-After` in both forms (RFC 9110, 10.2.3), else the first of the
 * vendor's own headers that says something.
 * @returns undefined when the provider does not say.
 */
export function waitMs(
  headers: Readonly<Record<string, string>>,
  resets: readonly ResetHeader[],
  now: number,
): number | undefined {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const waited = /^\s*\d+(\.\d+)?\s*$/.test(after)
      ? Number(after) * 1000
      : Date.parse(after) - now;
    if (!Number.isNaN(waited)) return Math.max(0, waited);
  }
  for (const { header, unit } of resets) {
    const text = headers[header.toLowerCase()];
    if (text === undefined || text.trim() === '') continue;
    const value = unit === 'date' ? Date.parse(text) : Number(text);
    if (Number.isNaN(value)) continue;
    const until = {
      seconds: now + value * 1000,
      epoch: value * 1000,
      epoch_ms: value,
      date: value,
    };
    return Math.max(0, until[unit] - now);
  }
  return undefined;
}
