import type { Result } from '#contract';
import type { IntegrationPath } from '../../api/integration-token.js';

/** Reads the integration that the address names. */
export function pathOf(address: string): IntegrationPath {
  const [accountId = '', integrationId = ''] = address.split('/');
  return { accountId, integrationId };
}

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
