import type { Outcome, ProviderCall, ProviderOperation } from '#connect';
import type { OperationId } from '#contract';
import type { Records } from './records.js';

/** A call of an operation, with the records of its integration. */
export interface MockCall extends ProviderCall {
  readonly records: Records;
}

export type MockOperation = Omit<ProviderOperation, 'run'> & {
  run(call: MockCall): Promise<Outcome>;
};

export type MockOperations = { readonly [Id in OperationId]?: MockOperation };
