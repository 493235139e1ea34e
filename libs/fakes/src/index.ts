export { readFake } from './document/read-fake.js';
export type { FakeDocument } from './document/fake-document.js';
export type { FakeCredentials } from './engine/credentials.js';
export { FakeEngine, type FakeOptions } from './engine/fake-engine.js';
export { type FaultRule, faultKinds } from './engine/faults.js';
export type { LoggedRequest, Violation } from './engine/fake-log.js';
export type { FakeRequest, FakeResponse } from './engine/messages.js';
export { type FakeStorage, MemoryStorage } from './state/fake-storage.js';
export type { Dataset, MakeWorld, WorldOptions } from './state/world.js';
