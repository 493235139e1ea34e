/** A service that keeps a key of its own and wraps ours with it, so that no file holds ours in the clear. */
export interface KeyService {
  /** @returns the wrapped key, and the reference under which it is unwrapped. */
  wrap(key: Buffer): Promise<{ reference: string; wrapped: string }>;
  unwrap(wrapped: string): Promise<Buffer>;
}
