/** The egress policy refused a connection. The message names the address, the reason and the remedy. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';

  constructor(
    /** The refused URL, host name or address; never with user information. */
    readonly target: string,
    reason: string,
  ) {
    super(`refused to connect to ${target}: ${reason}`);
    this.name = 'EgressRefused';
  }
}
