import { leavesOf } from '../leaves.js';
import type { MappedRecord } from './mapped-records.js';

/** Words of scales in their order, the least first. */
const words: Readonly<Record<string, number>> = {
  informational: 1,
  info: 1,
  none: 1,
  minimal: 1,
  trivial: 1,
  planning: 1,
  low: 2,
  minor: 2,
  medium: 3,
  moderate: 3,
  normal: 3,
  high: 4,
  major: 4,
  important: 4,
  critical: 5,
  fatal: 6,
  emergency: 6,
  urgent: 5,
  severe: 5,
  blocker: 6,
  p5: 1,
  p4: 2,
  p3: 3,
  p2: 4,
  p1: 5,
};
/** Fields of our records with a rank, such as `severity_id` and `risk_level`. */
const ranked =
  /(?:^|\/)(?:severity|priority|urgency|criticality|impact|(?:\w+_)?level|(?:\w+_)?rating)(?:_id)?(?:\/name)?$/;
const numbered = /(?:severity|score|risk)(?:_?(?:id|value|score|level))?$/i;
/** The number before a word, in labels such as `1 - Critical`. */
const numberBefore = /^\d+\s*[-–:.]\s*/;
/** OCSF's number of a value that is none of its own. */
const other = 99;

interface Ranks {
  /** The rank of each record, by its number. */
  byRecord: Map<number, number>;
  isWord: boolean;
}

/** The outcome of comparing the order of records with the vendor's. */
export interface ScaleResult {
  faults: string[];
  /** Fields of ours that were compared. */
  compared: string[];
}

/**
 * Compares the order of records by their severity, priority or another rank with the order that the vendor's records have by words such as
 * "high" and "P1", or by numbers of a severity or a score: a mapping that turns the scale round is in no order of the vendor's.
 */
export function compareScales(mapped: readonly MappedRecord[]): ScaleResult {
  const ours = ranksOf(
    mapped.map(({ record }) => record),
    (place) => ranked.test(place),
  );
  const theirs = ranksOf(
    mapped.map(({ source }) => source),
    () => true,
  );
  const result: ScaleResult = { faults: [], compared: [] };
  for (const [place, { byRecord }] of ours) {
    const votes = [...theirs].flatMap(([name, theirRanks]) => {
      const agreement = agreementOf(byRecord, theirRanks.byRecord);
      return agreement === 0 ? [] : [{ name, agreement, isWord: theirRanks.isWord }];
    });
    const own = votes.filter(({ isWord }) => isWord);
    const counted = own.length > 0 ? own : votes;
    if (counted.length === 0) continue;
    result.compared.push(place);
    const against = counted.filter(({ agreement }) => agreement < 0);
    if (against.length === counted.length)
      result.faults.push(
        `${place} is in the opposite order of ${against.map(({ name }) => name).join(', ')}`,
      );
  }
  return result;
}

/** The ranks of each place that has some, over all records. */
function ranksOf(
  records: readonly unknown[],
  isWanted: (place: string) => boolean,
): Map<string, Ranks> {
  const found = new Map<string, Ranks>();
  for (const [number, record] of records.entries())
    for (const { place, value } of leavesOf(record, ['raw_data', 'unmapped'])) {
      if (!isWanted(place)) continue;
      const rank = rankOf(place, value);
      if (rank === undefined) continue;
      const ranks = found.get(place) ?? { byRecord: new Map(), isWord: true };
      ranks.byRecord.set(number, rank);
      ranks.isWord &&= typeof value === 'string';
      found.set(place, ranks);
    }
  return found;
}

function rankOf(place: string, value: unknown): number | undefined {
  if (typeof value === 'string') return words[value.replace(numberBefore, '').toLowerCase()];
  if (typeof value !== 'number' || !numbered.test(place) || value === other) return undefined;
  return value;
}

/** How many pairs of records have the same order by both ranks, less those with the opposite one. */
function agreementOf(
  ours: ReadonlyMap<number, number>,
  theirs: ReadonlyMap<number, number>,
): number {
  const both = [...ours].flatMap(([number, rank]) => {
    const their = theirs.get(number);
    return their === undefined ? [] : [[rank, their] as const];
  });
  let agreement = 0;
  for (const [index, [rank, their]] of both.entries())
    for (const [otherRank, otherTheir] of both.slice(index + 1))
      agreement += Math.sign(rank - otherRank) * Math.sign(their - otherTheir);
  return agreement;
}
