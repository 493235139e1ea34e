/** A filter or order that cannot be understood, with the character it goes wrong at. */
export class QueryError extends Error {
  constructor(
    readonly parameter: 'filter' | 'order',
    readonly text: string,
    /** Zero-based. */
    readonly position: number,
    message: string,
    readonly remediation: string,
  ) {
    super(message);
    this.name = 'QueryError';
  }
}
