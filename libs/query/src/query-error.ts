/** A filter or order that is invalid, with the position of the error. */
export class QueryError extends Error {
  constructor(
    readonly parameter: 'filter' | 'order',
    readonly text: string,
    /** Index of the character at which the error was found; the first is 0. */
    readonly position: number,
    message: string,
    readonly remediation: string,
  ) {
    super(message);
    this.name = 'QueryError';
  }
}
