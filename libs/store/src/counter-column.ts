/** A counter: bigint in the database, a number here. */
export const counterColumn = { transformer: { from: Number, to: (value: number) => value } };
