/** Something that has to be true of every provider. */
export interface Check {
  name: string;
  /** @returns what is wrong */
  run: () => Promise<string[]>;
}
