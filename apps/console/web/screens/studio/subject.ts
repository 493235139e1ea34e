import type { ManagementSchemas, OperationId } from '#contract';
import type { IntegrationPath } from '../../api/integration-token.js';
import type { Chains } from '../../parts/mappings/chains.js';

export type Mapping = ManagementSchemas['Mapping'];

/** Integration and operation that a mapping is written for. */
export interface Subject {
  path: IntegrationPath;
  chains: Chains;
  /** Those that the provider supports. */
  operations: readonly OperationId[];
  operation: OperationId;
}
