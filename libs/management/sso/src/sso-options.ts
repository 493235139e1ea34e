import type { EgressPolicy } from '#egress';

/** What single sign-on is told by its process. */
export abstract class SsoOptions {
  /** The address at which browsers and identity providers reach the gateway, known once that is open. */
  abstract readonly publicUrl: () => string;
  /** Which identity providers may be called. */
  abstract readonly egress: EgressPolicy;
}
