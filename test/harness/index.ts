export { baseEvent } from './base-event.js';
export { type KeyPair, TestAuthority } from './certificates.js';
export {
  type Application,
  AuthorizationFake,
  openProviderPage,
  returnToService,
} from './fakes/authorization-fake.js';
export { askForFacts, runFolder, testNatsUrl } from './services/ask-for-service.js';
export { busKeys } from './nats/bus-keys.js';
export { chromiumPath, connectChromium, inBrowser } from './programs/chromium.js';
export { pretendFullDisk, runStatements } from './postgres/pretend-full-disk.js';
export { type TestDatabase } from './postgres/create-database.js';
export { eventually, maxWaitMs, until } from './eventually.js';
export { FakeSts } from './fakes/fake-sts.js';
export { freePort, takenPort } from './services/free-port.js';
export {
  keyCharacters,
  LargeFile,
  largeSizes,
  maxHeldBytes,
  mebibyte,
  readSlowly,
} from './large-file.js';
export { lockNetwork } from './services/network-lock.js';
export { type ReceivedMail, TestMailServer } from './services/mail-server.js';
export { GraphqlDescription } from './descriptions/graphql-description.js';
export { findNatsServer } from './nats/nats-binary.js';
export { type NatsServer, startNats } from './nats/nats.js';
export {
  bytesOf,
  type Json,
  listFaults,
  OverFake,
  type OverFakeOptions,
  uploadOf,
} from '#apps/provider-kit';
export { azureStore, createContainer, s3Store } from './programs/object-stores.js';
export {
  Description,
  type DescriptionOptions,
  readDescription,
} from './descriptions/openapi-description.js';
export { OverSystem } from './fakes/over-system.js';
export {
  createRedmineProject,
  type Redmine,
  redmine,
  type RedmineProject,
  type SendToRedmine,
} from './programs/redmine.js';
export { redmineFault, redmineProgram } from './programs/redmine-program.js';
export { isInShare, isWhole, readShareSeed, shareOf, shareSeed } from './share.js';
export { sharedDescription } from './descriptions/shared-description.js';
export { openStoredTokens, type StoredTokens } from './fakes/stored-tokens.js';
export { type ReceivedRequest, Receiver } from './fakes/receiver.js';
export { runMapping } from './fakes/run-mapping.js';
export { type RunningFake, startFake } from './fakes/running-fake.js';
export { createMigratedDatabase, createTestDatabase } from './postgres/test-database.js';
