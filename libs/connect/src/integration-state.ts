/** How an integration was found at its last call. `new`: nothing ran yet, or nothing since its counters were reset. */
export type IntegrationState =
  | 'new'
  | 'healthy'
  /** The provider refuses the credentials: somebody has to give it others. */
  | 'credentials_refused'
  /** The provider knows the credentials, and does not let them do what the operation needs. */
  | 'permission_missing'
  /** The provider has had enough calls for now. */
  | 'rate_limited'
  /** The provider does not answer, or not in time. */
  | 'unavailable'
  /** The provider answers what is no answer, or a mapping fails on it. */
  | 'failing';
