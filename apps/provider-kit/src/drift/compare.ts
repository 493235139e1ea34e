import type { Element, Elements } from './elements.js';
import { callsOperation, type Uses } from './uses.js';

/** Differences between what a document uses of a vendor's API and the vendor's newest description of it. */
export interface Drift {
  gone: Element[];
  deprecated: Element[];
  /** Parts that the earlier description did not have; unknown without one. */
  fresh: Element[];
  /** Calls of the document that the description does not have. */
  undescribed?: string[];
}

/**
 * Compares descriptions of the operations that a document calls.
 * @param before the description that the document was written from, if it is at hand
 */
export function compareDescriptions(
  uses: Uses,
  before: Elements | undefined,
  after: Elements,
): Drift {
  const isUsed = (element: Element, all: Elements): boolean => {
    if (element.kind === 'operation') return callsOperation(uses, element.word);
    if (!uses.words.has(element.word)) return false;
    // A value counts for a field that is used: "open" is a word of many.
    const owner = element.kind === 'value' ? all.get(element.of ?? '') : undefined;
    return owner === undefined || owner.kind === 'operation' || uses.words.has(owner.word);
  };
  const gone = [...(before ?? [])]
    .filter(([place]) => !after.has(place))
    .map(([, element]) => element)
    // The parts of something that is gone as a whole are left out.
    .filter(({ of }) => of === undefined || before?.has(of) !== true || after.has(of))
    .filter((element) => isUsed(element, before ?? after));
  return {
    gone,
    deprecated: [...after.values()].filter(
      (element) => element.deprecated && isUsed(element, after),
    ),
    fresh:
      before === undefined
        ? []
        : [...after.values()].filter((element) => isFresh(element, before, after, uses)),
  };
}

/** New values matter where their field is used; new fields and parameters always, for they are what could be mapped. */
function isFresh(
  { kind, place, of = '' }: Element,
  before: Elements,
  after: Elements,
  { words }: Uses,
): boolean {
  if (before.has(place)) return false;
  const owner = after.get(of);
  // The parts of something that is new as a whole are left out.
  if (owner !== undefined && !before.has(owner.place)) return false;
  return kind !== 'value' || owner === undefined || words.has(owner.word);
}

/** Describes differences for people, a line each. */
export function describeDrift({ gone, deprecated, fresh, undescribed = [] }: Drift): string[] {
  const lines = (label: string, elements: readonly Element[]) =>
    elements.map(({ kind, place }) => `${label} ${kind} ${place}`);
  return [
    ...lines('gone:', gone),
    ...lines('deprecated:', deprecated),
    ...lines('new:', fresh),
    ...undescribed.map((call) => `not described: ${call}`),
  ];
}
