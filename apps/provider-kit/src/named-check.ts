/** A check that every provider must pass. */
export interface Check {
  name: string;
  /** Runs the check. @returns its faults */
  run: () => Promise<string[]>;
}
