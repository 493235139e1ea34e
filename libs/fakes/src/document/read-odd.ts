import type { OddDefaults, OddRecords, Route } from './fake-document.js';
import type { FakeReader } from './fake-reader.js';
import type { Part } from './part.js';

/** Reads what the document says of the dataset ODD. */
export function readOdd(
  reader: FakeReader,
  part: Part | undefined,
  routes: readonly Route[],
): OddDefaults {
  const unlicensed = part?.get('unlicensed');
  const scopes = routes.flatMap(({ access }) => access ?? []);
  const isNone = unlicensed?.scalar === false;
  if (unlicensed !== undefined && !isNone) reader.checkName(unlicensed, 'scope', new Set(scopes));
  return {
    constants: (part?.get('let')?.toPlain() ?? {}) as OddDefaults['constants'],
    leavesOut: part?.flag('nulls') !== true && routes.every(({ field }) => field === undefined),
    unlicensed: isNone ? null : unlicensed && String(unlicensed.scalar),
  };
}

export function readOddRecords(part: Part | undefined): OddRecords {
  return {
    always: part?.texts('always') ?? [],
    ownNames: part?.texts('own_names') ?? [],
    beside: (part?.get('beside')?.toPlain() ?? []) as OddRecords['beside'],
    hasBare: part?.get('bare')?.scalar !== false,
    rows: part?.number('rows') ?? 0,
  };
}
