import { Injectable } from '@nestjs/common';
import { addressBlock } from './address-block.js';
import { type Rate, RateLimit } from './rate-limit.js';

/** Webhook messages of a token. */
export const hookRate: Rate = { burst: 300, perSecond: 20 };
/** Requests of an address without a token. A sign-on takes four, and an office is often one address. */
export const anonymousRate: Rate = { burst: 300, perSecond: 20 };

/** The limits of requests that no other budget of their caller bounds. */
@Injectable()
export class RateLimits {
  private readonly hooks = new RateLimit(hookRate, {
    message: 'the token sends too many messages',
    remediation: `A token may send ${hookRate.perSecond} messages per second. Send it again in a moment.`,
  });
  private readonly anonymous = new RateLimit(anonymousRate, {
    message: 'too many requests without a token came from this address',
    remediation: `An address may send ${anonymousRate.perSecond} of them per second. Try again in a moment.`,
  });

  /** Counts a webhook message. @throws ApiError 429 */
  takeHook(token: string): void {
    this.hooks.take(token);
  }

  /** Counts a request without a token for which the database is asked. @throws ApiError 429 */
  takeAnonymous(address: string): void {
    this.anonymous.take(addressBlock(address));
  }
}
