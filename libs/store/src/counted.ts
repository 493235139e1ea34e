/** A counter: bigint in the database, a number here. */
export const counted = { transformer: { from: Number, to: (value: number) => value } };
