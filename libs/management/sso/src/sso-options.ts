import type { EgressPolicy } from '#egress';

/** Options of single sign-on that its process sets. */
export abstract class SsoOptions {
  /** Public address of the gateway, known once its port is open. */
  abstract readonly publicUrl: () => string;
  /** Policy for calls of identity providers. */
  abstract readonly egress: EgressPolicy;
}
