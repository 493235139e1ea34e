/** Ids of runs, which the batches of a sink begin with. */
export const executionIds = { prefix: 'exe' };
