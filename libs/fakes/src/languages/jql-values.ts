const units = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000 } as const;

/**
 * Reads a date of JQL as epoch milliseconds: days and minutes (never seconds), offsets from now, or milliseconds; undefined for others.
 * @param zoneMinutes minutes east of UTC of the user who searches: Jira reads days and minutes in their time zone
 */
export function readJqlDate(text: string, now: number, zoneMinutes = 0): number | undefined {
  if (/^\d{10,}$/.test(text)) return Number(text);
  const moment = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?: (\d{1,2}):(\d{2}))?$/.exec(text);
  if (moment !== null) {
    const [year = 0, month = 1, day = 1, hours = 0, minutes = 0] = moment
      .slice(1)
      .map((part?: string) => Number(part ?? 0));
    return Date.UTC(year, month - 1, day, hours, minutes - zoneMinutes);
  }
  return /^[-+]?(?:\d+[wdhm]\s*)+$/.test(text) ? now + distance(text) : undefined;
}

function distance(text: string): number {
  const sum = [...text.matchAll(/(?<!\d)(\d+)([wdhm])/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * units[unit as keyof typeof units],
    0,
  );
  return text.startsWith('-') ? -sum : sum;
}

/** `~`: every word occurs, `word*` as a prefix, and text in quotes occurs unchanged. */
export function containsJqlWords(text: string, pattern: string): boolean {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const phrase = /^"(.*)"$/.exec(pattern)?.[1];
  const wanted: string[] = (phrase ?? pattern).toLowerCase().match(/[\p{L}\p{N}_*]+/gu) ?? [];
  if (phrase !== undefined) return ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `);
  return wanted.every((want) =>
    want.endsWith('*')
      ? words.some((word) => word.startsWith(want.slice(0, -1)))
      : words.includes(want),
  );
}
