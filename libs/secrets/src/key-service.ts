/** A service that wraps our key with a key of its own, so that no file contains our key in plain text. */
export interface KeyService {
  /** @returns the wrapped key, and the reference with which to unwrap it. */
  wrap(key: Buffer): Promise<{ reference: string; wrapped: string }>;
  unwrap(wrapped: string): Promise<Buffer>;
}
