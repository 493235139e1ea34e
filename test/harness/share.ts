/**
 * `npm run proof -- campaigns` sets it: a campaign, which asks one question of very many inputs, then runs whole. `npm test` runs a share
 * of each.
 */
export const isWhole = process.env['WHOLE_CAMPAIGNS'] !== undefined;

/**
 * Another number asks another share: `SHARE_SEED=3 npm test -- PATH`. It is the same in every run without it, so that a change is never refused
 * for a fault that was there before it.
 */
export const shareSeed = readShareSeed(process.env['SHARE_SEED'] ?? '0');

/** Reads the number of a share. @throws Error for anything but a whole number that is not negative */
export function readShareSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`SHARE_SEED "${text}" is invalid: it must be a whole number of at most 9 digits`);
}

/** Returns one in so many of the items; all of them where campaigns run whole. */
export function shareOf<T>(items: readonly T[], interval: number, first = 0): T[] {
  return items.filter((_item, index) => isInShare(index, interval, first));
}

/**
 * True for one in so many places; for each where campaigns run whole. Shares with another `first` have other places, and with all of them
 * every place.
 */
export function isInShare(place: number, interval: number, first = 0, seed = shareSeed): boolean {
  return isWhole || (place + seed) % interval === first % interval;
}
