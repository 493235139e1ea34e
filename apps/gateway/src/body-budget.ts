import { Injectable } from '@nestjs/common';
import { ApiError } from '#contract';
import { Metrics } from '#observe';
import { addressBlock } from './address-block.js';
import { GatewaySettings } from './gateway-settings.js';

/** Share of the budget that one address may hold. */
export const addressShare = 1 / 2;
/** Share of the budget that all callers without a token together may hold. */
export const anonymousShare = 1 / 8;
const retryAfterSeconds = '1';

/** Limits the bytes of request bodies that the process holds while it handles the requests. */
@Injectable()
export class BodyBudget {
  private held = 0;
  private anonymous = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(
    private readonly settings: GatewaySettings,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'onefold_body_bytes_held',
      'Bytes of request bodies that are held until their requests are answered.',
      () => this.held,
    );
  }

  get heldBytes(): number {
    return this.held;
  }

  open(address: string, isAnonymous: boolean): BodyLease {
    return new BodyLease(this, addressBlock(address), isAnonymous);
  }

  /** @throws ApiError 503 when one of the budgets is exhausted */
  take(bytes: number, block: string, isAnonymous: boolean): void {
    const { maxBodiesBytes } = this.settings;
    const ofAddress = (this.byAddress.get(block) ?? 0) + bytes;
    if (this.held + bytes > maxBodiesBytes)
      throw exhausted('', 'Try again soon; the operator can raise MAX_BODIES_BYTES.');
    if (ofAddress > maxBodiesBytes * addressShare)
      throw exhausted(' from this address', 'Send fewer large bodies at a time.');
    if (isAnonymous && this.anonymous + bytes > maxBodiesBytes * anonymousShare)
      throw exhausted(' without a token', 'Try again soon.');
    this.held += bytes;
    this.byAddress.set(block, ofAddress);
    if (isAnonymous) this.anonymous += bytes;
  }

  give(bytes: number, block: string, isAnonymous: boolean): void {
    this.held -= bytes;
    if (isAnonymous) this.anonymous -= bytes;
    const left = (this.byAddress.get(block) ?? 0) - bytes;
    if (left > 0) this.byAddress.set(block, left);
    else this.byAddress.delete(block);
  }
}

/** The received bytes of one body. */
export class BodyLease {
  private bytes = 0;

  constructor(
    private readonly budget: BodyBudget,
    private readonly block: string,
    private readonly isAnonymous: boolean,
  ) {}

  /** @throws ApiError 503 */
  take(bytes: number): void {
    this.budget.take(bytes, this.block, this.isAnonymous);
    this.bytes += bytes;
  }

  /** Releases all bytes, after the response or when the body was refused. */
  release(): void {
    if (this.bytes > 0) this.budget.give(this.bytes, this.block, this.isAnonymous);
    this.bytes = 0;
  }
}

function exhausted(whose: string, remediation: string): ApiError {
  return new ApiError(503, `too many bytes of request bodies${whose} are in flight`, {
    remediation,
    headers: { 'retry-after': retryAfterSeconds },
  });
}
