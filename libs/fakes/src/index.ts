export { readFake, readFakeFile } from './document/read-fake.js';
export type { FakeDocument } from './document/fake-document.js';
export { addCopies } from './engine/add-copies.js';
export type { FakeCredentials } from './engine/credentials.js';
export { FakeEngine, type FakeOptions } from './engine/fake-engine.js';
export {
  parseJql,
  type JqlClause,
  type JqlOperand,
  type JqlQuery,
} from './languages/jql-syntax.js';
export { containsJqlWords, readJqlDate } from './languages/jql-values.js';
export { alterPages, capPages } from './odd/odd-document.js';
export { QueryFault } from './languages/language.js';
export { readSignature, verifySignature } from './engine/verify-sigv4.js';
export { type FaultRule, faultKinds } from './engine/faults.js';
export type { LoggedRequest, Violation } from './engine/fake-log.js';
export type { FakeRequest, FakeResponse, ReadRequest } from './engine/messages.js';
export { type FakeStorage, MemoryStorage } from './state/fake-storage.js';
export { StoreStorage } from './state/store-storage.js';
export { type Dataset, datasets, type MakeWorld, type WorldOptions } from './state/world.js';
export { FakeClock } from './serve/fake-clock.js';
export { FakeDispatcher } from './serve/fake-dispatcher.js';
export { FakeServer } from './serve/fake-server.js';
export { makeWorld, type World } from './world/index.js';
