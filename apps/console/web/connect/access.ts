import type { Result } from '#contract';
import type { Field } from '../forms/fields.js';
import type { MappingTemplate } from './session.js';

export type Provider = Result<'capabilities_get_provider'>['result'];
type Integration = Result<'integrations_get'>['result'];

/** All that the form of a provider needs. */
export interface Access {
  provider: Provider;
  fields: readonly Field[];
  /** The integration whose access is renewed; none for a new one. */
  integration?: Integration;
  /** Further fields of the records that the customer may choose. */
  choices: readonly MappingTemplate[];
  /** Place in provider_config of a credential that people can grant at the provider; absent where they cannot. */
  grantedAt?: string;
}

/** An integration that was created, whose access was renewed, or that was deleted. */
export interface Done {
  integrationId: string;
  name: string;
  providerId: string;
  isCreated: boolean;
  isDeleted?: boolean;
}
