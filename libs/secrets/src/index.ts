export { CursorRefused, Cursors } from './cursors.js';
export { createKeyFile, type Key, keyOf, readKeyFile } from './key-file.js';
export { openSealer } from './open-sealer.js';
export { Sealer, type WrappedKey } from './sealer.js';
export { SealedBodies } from './sealed-bodies.js';
export { Secret } from './secret.js';
export {
  hashToken,
  isToken,
  maskToken,
  maskTokens,
  mintToken,
  type TokenPrefix,
  tokenPrefixes,
} from './token-secret.js';
export { hashPassword, TooManyPasswords, verifyPassword } from './passwords.js';
