import type { ClientFunction } from '#provider-document';

/** Returns its body: a value that later expressions share. */
export const value: ClientFunction = ({ input }) => Promise.resolve(input ?? null);
