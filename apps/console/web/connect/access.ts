import type { Result } from '#contract';
import type { Field } from '../forms/fields.js';

export type Provider = Result<'capabilities_get_provider'>['result'];
type Integration = Result<'integrations_get'>['result'];

/** All that the form of a provider needs. */
export interface Access {
  provider: Provider;
  fields: readonly Field[];
  /** The integration whose access is renewed; none for a new one. */
  integration?: Integration;
  /** Place in provider_config of a credential that people can grant at the provider; absent where they cannot. */
  grantedAt?: string;
}

/** An integration that was created, or whose access was renewed. */
export interface Done {
  integrationId: string;
  name: string;
  providerId: string;
  isCreated: boolean;
}
