/** A record as the provider has it. */
export type Native = Record<string, unknown>;

/** Turns a record of one side into one of the other. */
export type Mapping = (record: Native) => unknown;
