export { CursorRefused, Cursors } from './cursors.js';
export {
  addKey,
  createKeyFile,
  type KeptBy,
  promoteKey,
  readKeyFile,
  writeKeyFile,
} from './key-file.js';
export type { KeyService } from './key-service.js';
export { type KeyServiceSettings, keyServiceNames, openKeyService } from './key-services.js';
export { KeyUnusable } from './key-unusable.js';
export { type Key, keyOf, type Keys, type KeySource, onlyKey } from './key.js';
export { BusKeys } from './bus-keys.js';
export { Keyring } from './keyring.js';
export { type KeySettings, openBusKeys, openKeyring } from './open-keyring.js';
export { type KeyInUse, Sealer, type WrappedKey } from './sealer.js';
export { SealedBodies } from './sealed-bodies.js';
export { Secret } from './secret.js';
export {
  hashToken,
  holdsToken,
  isToken,
  maskToken,
  maskTokens,
  mintToken,
  type TokenPrefix,
  tokenPrefixes,
} from './token-secret.js';
export { TooManyWaiting } from './concurrency-limiter.js';
export { hashPassword, verifyPassword } from './passwords.js';
