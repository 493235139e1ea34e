/** A meta function call that cannot be read. The message names the call, the character, and what belongs there. */
export class MetaError extends Error {
  constructor(
    /** The call as it was sent. */
    readonly call: string,
    /** Where it breaks: characters from the beginning, the first is 1. */
    readonly character: number,
    problem: string,
    readonly remedy: string,
  ) {
    super(`${call || '(empty)'}: character ${character}: ${problem}`);
    this.name = 'MetaError';
  }
}
