import type { HeldKey } from '#store';
import { mayBeCarriedOut } from '#provider-http';

/** Kind of the problem of a create whose outcome the caller has to look up. */
export const unsettled = 'outcome-unknown';

/**
 * A create with an `Idempotency-Key`: whether the provider may have carried out something of it, in this call or in one before. Only
 * then the next call with the key has to find out what there is.
 */
export class KeyedWrite {
  /** The text by which the provider may know the record again. */
  readonly marker: string;
  /** When the first call with the key began. */
  readonly since: Date;
  /** True if nobody knows what an earlier call has done. */
  readonly isUnsettled: boolean;
  /** True if the provider may have carried out something. */
  isOpen: boolean;
  private wasOpen: boolean;

  constructor({ marker, since, isUnsettled }: HeldKey) {
    this.marker = marker;
    this.since = since;
    this.isUnsettled = isUnsettled;
    this.isOpen = isUnsettled;
    this.wasOpen = this.isOpen;
  }

  /** Notes that nothing of the calls before is there. */
  settleAbsent(): void {
    this.isOpen = false;
    this.wasOpen = false;
  }

  /** Sends a request that writes. @param send calls its parameter when the request goes out */
  async watch<T extends { status: number }>(send: (onSend: () => void) => Promise<T>): Promise<T> {
    let isSent = false;
    this.wasOpen = this.isOpen;
    try {
      const response = await send(() => (isSent = true));
      // A document may accept a refusal and go on.
      if (response.status < 400) this.isOpen = true;
      return response;
    } catch (error) {
      if (isSent && mayBeCarriedOut(error)) this.isOpen = true;
      throw error;
    }
  }

  /** Notes that the response to the last request refuses it, although its status says that it succeeded. */
  takeBack(): void {
    this.isOpen = this.wasOpen;
  }
}
