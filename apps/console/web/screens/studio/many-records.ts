import { sendThrough } from '../../api/integration-token.js';
import { builtInMapping } from '../../parts/mappings/chains.js';
import { type Way, waysOf } from '../../parts/mappings/ways.js';
import { applyChain, type Trial } from './apply-chain.js';
import { parseExact, printExact } from '../../parts/mappings/exact-json.js';
import { changesBetween, type FieldChange } from '../../parts/mappings/fields.js';
import type { Subject } from './subject.js';

export const maxTried = 50;
/** The service tells the way of so many records of an answer. */
const perPage = 10;
const maxAtOnce = 5;

/** Changes that saving a document would make to records of the customer. */
export interface Effect {
  tried: number;
  /** Records that come out differently. */
  changed: number;
  /** Records that are too large for a trace, and were not tried. */
  skipped: number;
  /** Fields by the number of records in which they change, each with the change of the first one. */
  fields: readonly (FieldChange & { count: number })[];
  failures: readonly { reason: string; count: number }[];
}

/** Reads the first records of a list, as the chain gives them to the first mapping of the customer, and as they are now. */
async function readWays({ path, operation }: Subject, signal: AbortSignal): Promise<Way[]> {
  const ways: Way[] = [];
  let cursor: string | undefined;
  do {
    const query = {
      limit: perPage,
      meta: [`mapping/trace(${perPage})`],
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { text } = await sendThrough(path, operation, { query }, signal);
    ways.push(...waysOf(text));
    cursor = (parseExact(text) as { cursor?: string }).cursor || undefined;
  } while (cursor !== undefined && ways.length < maxTried);
  return ways.slice(0, maxTried);
}

/**
 * Returns the record as the chain gives it to the first mapping of the customer: mappings are tried on it, and one that is stored already
 * would see its own result otherwise. Undefined if the trace does not say it.
 */
export function beforeOwnMappings(way: Way | undefined): unknown {
  if (way === undefined) return undefined;
  const [first] = way.steps;
  return first?.mapping === builtInMapping ? first.output : way.input;
}

/** Tries a document on the first records of the customer, and compares what becomes of them with what the stored chain makes of them. */
export async function tryOnMany(
  subject: Subject,
  trial: Trial,
  signal: AbortSignal,
  onProgress: (tried: number) => void,
): Promise<Effect> {
  const ways = await readWays(subject, signal);
  const known = ways.filter((way) => beforeOwnMappings(way) !== undefined);
  const fields = new Map<string, FieldChange & { count: number }>();
  const failures = new Map<string, number>();
  let changed = 0;
  const tryOne = async (way: Way) => {
    const steps = await applyChain(trial, printExact(beforeOwnMappings(way)), signal);
    const reason = steps.find(({ failure }) => failure)?.failure?.reason;
    if (reason !== undefined) failures.set(reason, (failures.get(reason) ?? 0) + 1);
    else {
      const output = steps.length === 0 ? beforeOwnMappings(way) : steps.at(-1)?.output;
      const { changes } = changesBetween(way.steps.at(-1)?.output ?? {}, output ?? {});
      if (changes.length > 0) changed += 1;
      for (const one of changes) {
        const counted = fields.get(one.field);
        fields.set(one.field, { ...(counted ?? one), count: (counted?.count ?? 0) + 1 });
      }
    }
  };
  for (let at = 0; at < known.length; at += maxAtOnce) {
    await Promise.all(known.slice(at, at + maxAtOnce).map(tryOne));
    onProgress(Math.min(at + maxAtOnce, known.length));
  }
  return {
    tried: known.length,
    changed,
    skipped: ways.length - known.length,
    fields: [...fields.values()].toSorted((one, other) => other.count - one.count),
    failures: [...failures].map(([reason, count]) => ({ reason, count })),
  };
}
