/** A meta function call that is invalid. The message names the call, the character, and what was expected there. */
export class MetaError extends Error {
  constructor(
    /** The call as it was sent. */
    readonly call: string,
    /** Position of the error in characters; the first is 1. */
    readonly character: number,
    problem: string,
    readonly remedy: string,
  ) {
    super(`${call || '(empty)'}: character ${character}: ${problem}`);
    this.name = 'MetaError';
  }
}
