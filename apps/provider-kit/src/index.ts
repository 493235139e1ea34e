export { faultsOfResponse } from './validate-response.js';
export { ocsfFaults } from './ocsf-faults.js';
export { type FakeCommand, type RunningFake, startFake } from './fake.js';
export { reportModel } from './model/model-report.js';
export { hasModel } from './model/vendor-model.js';
export { isSame } from './values/value-tables.js';
export { configurationOver, type FakeConfiguration } from './fake-configuration.js';
export { ProviderFolder } from './folders.js';
export { identityOf } from './record-identity.js';
export { setupsOf } from './fake-checks.js';
export { DescribedFake, type VendorDescription } from './over-fake/described-fake.js';
export { pollFaults, pollFieldsOf } from './over-fake/poll-checks.js';
export { excusesOf } from './over-fake/excuses.js';
export { findDescription } from './over-fake/description.js';
export type { FakeSetup } from './over-fake/fake-setup.js';
export { isPushed, listFaults } from './over-fake/list-checks.js';
export {
  MockClient,
  type MockOptions,
  openMock,
  type LooseParts,
} from './over-fake/mock-over-fake.js';
export { OverAnswers, type Respond } from './over-fake/over-answers.js';
export { OverFake, type OverFakeOptions } from './over-fake/over-fake.js';
export { bytesOf, type Json, OverProvider, uploadOf } from './over-fake/over-provider.js';
export {
  checked,
  fill,
  readMockSteps,
  type Step,
  stepsOf,
  type WalkCaller,
  Walker,
  type WalkTest,
} from './over-fake/walk.js';
export { sumVaried, type VariationFigures } from './figures.js';
export { type Extent, type Varied, varyRead } from './variation/vary.js';
export { readXml } from './variation/written-answer.js';
