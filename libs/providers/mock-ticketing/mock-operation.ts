import type {
  MappedRequest,
  ProviderRecord,
  ProviderResult,
  ProviderCall,
  ProviderOperation,
} from '#connect';
import type { OperationId } from '#contract';
import type { Records } from './records.js';

/**
 * A call of an operation, and the records of its integration. They are separate fields: an object made for each call
 * with the call as its prototype made every access to calls slow.
 */
export interface MockCall {
  readonly call: ProviderCall;
  readonly records: Records;
  readonly request: MappedRequest;
}

export type MockOperation = Omit<ProviderOperation, 'run' | 'current'> & {
  current?: (call: MockCall) => Promise<ProviderRecord>;
  run: (call: MockCall) => Promise<ProviderResult>;
};

export type MockOperations = { readonly [Id in OperationId]?: MockOperation };
