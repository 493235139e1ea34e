/** State of an integration at its last call. `new`: there was no call since it was created or its counters were reset. */
export type IntegrationState =
  | 'new'
  | 'healthy'
  /** The provider refuses the credentials, so somebody has to replace them. */
  | 'credentials_refused'
  /** The credentials lack a permission that the operation needs. */
  | 'permission_missing'
  /** The provider's rate limit is reached. */
  | 'rate_limited'
  /** The provider does not respond, or not in time. */
  | 'unavailable'
  /** The provider's response is invalid, or a mapping fails on it or on some of its records, which a list leaves out. */
  | 'failing';
