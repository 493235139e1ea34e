/** Kinds of what shows that a vendor has changed its API, or will. */
export type DriftKind =
  | 'deprecation'
  | 'sunset'
  | 'warning'
  /** A value that the contract or the mapping does not know. */
  | 'unknown_value'
  /** A failure that no rule of the provider's document describes. */
  | 'unmatched_error'
  /** A field of a provider record that was not there before. */
  | 'new_field';

/** Something that shows that a vendor has changed its API, or will, as a call of an integration met it. It has no value of the customer. */
export interface ReportedDrift {
  integrationId: string;
  operation: string;
  kind: DriftKind;
  /** The field that it is about. */
  path?: string;
  /** RFC 3339: the date that the vendor names. */
  date?: string;
  link?: string;
  code?: string;
  /** Epoch milliseconds. */
  at: number;
}

/** One entry of the status of an integration: what was found, and when. */
export interface StoredDrift extends Omit<ReportedDrift, 'integrationId' | 'at'> {
  /** RFC 3339. */
  first_seen_at: string;
  last_seen_at: string;
}

/** Maximum number of entries of an integration. Those that were not seen for longest go first. `onefold_add_drift` has it, too. */
export const maxDriftOfIntegration = 50;

/** The parameter of `onefold_add_drift`. */
export function driftParameter(found: readonly ReportedDrift[]): string {
  return JSON.stringify(
    found.map(({ integrationId, at, ...entry }) => ({
      integration_id: integrationId,
      at: new Date(at),
      entry,
    })),
  );
}
