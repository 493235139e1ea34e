export { type KeyPair, TestAuthority } from './certificates.js';
export {
  type Application,
  AuthorizationFake,
  openProviderPage,
  returnToService,
} from './authorization-fake.js';
export { askForFacts, runFolder, testNatsUrl } from './ask-for-service.js';
export { busKeys } from './bus-keys.js';
export { chromiumPath, connectChromium, inBrowser } from './chromium.js';
export { type TestDatabase } from './create-database.js';
export { eventually, maxWaitMs, until } from './eventually.js';
export { FakeSts } from './fake-sts.js';
export { freePort, takenPort } from './free-port.js';
export {
  keyCharacters,
  LargeFile,
  largeSizes,
  maxHeldBytes,
  mebibyte,
  readSlowly,
} from './large-file.js';
export { lockNetwork } from './network-lock.js';
export { GraphqlDescription } from './graphql-description.js';
export { findNatsServer } from './nats-binary.js';
export { type NatsServer, startNats } from './nats.js';
export {
  bytesOf,
  type Json,
  listFaults,
  OverFake,
  type OverFakeOptions,
  uploadOf,
} from '#apps/provider-kit';
export { azureStore, createContainer, s3Store } from './object-stores.js';
export { Description, type DescriptionOptions, readDescription } from './openapi-description.js';
export { OverSystem } from './over-system.js';
export {
  createRedmineProject,
  type Redmine,
  redmine,
  type RedmineProject,
  type SendToRedmine,
} from './redmine.js';
export { redmineFault, redmineProgram } from './redmine-program.js';
export { sharedDescription } from './shared-description.js';
export { openStoredTokens, type StoredTokens } from './stored-tokens.js';
export { type ReceivedRequest, Receiver } from './receiver.js';
export { runMapping } from './run-mapping.js';
export { type RunningFake, startFake } from './running-fake.js';
export { createMigratedDatabase, createTestDatabase } from './test-database.js';
