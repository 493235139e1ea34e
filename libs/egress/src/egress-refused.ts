/** An outgoing address that the egress policy does not let through. The message names the address, the reason and the remedy. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';

  constructor(
    /** What was refused: a URL, a host name or an address; never with user information. */
    readonly target: string,
    reason: string,
  ) {
    super(`refused to connect to ${target}: ${reason}`);
    this.name = 'EgressRefused';
  }
}
