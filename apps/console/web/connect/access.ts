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
}

/** An integration that was created, or whose access was renewed. */
export interface Done {
  integrationId: string;
  name: string;
  providerId: string;
  isCreated: boolean;
}
