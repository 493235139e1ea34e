import type { ClientFunction } from '#provider-document';

/** Returns its body, for a value that several later expressions use. */
export const value: ClientFunction = ({ input }) => Promise.resolve(input ?? null);
