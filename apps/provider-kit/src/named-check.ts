/** A check that every provider must pass. */
export interface Check {
  name: string;
  /** Runs the check. @returns its faults */
  run: () => Promise<string[]>;
  /** Says why there was nothing to check; undefined if there was something. It is called after `run`, for a check without faults. */
  without?: () => Promise<string | undefined>;
}
