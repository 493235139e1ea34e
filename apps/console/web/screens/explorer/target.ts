import type { Result } from '#contract';
import type { IntegrationPath } from '../../api/integration-token.js';

/** The integration that an operation is called through. */
export interface Target {
  path: IntegrationPath;
  /** Name of the integration for people. */
  name: string;
  domain: string;
  /** Environment of its account. */
  environment: string | undefined;
  /** The operation as its provider offers it. */
  offered?: NonNullable<Result<'capabilities_get_provider'>['result']['operations']>[number];
}
