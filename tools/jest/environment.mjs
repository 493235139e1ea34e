// The globals of the worker as the environment of its tests.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class NativeEnvironment {
  global = globalThis;
  fakeTimers = null; // the old implementation
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  exportConditions() {
    return [];
  }

  /** There is no context of its own; Jest requires the method. */
  getVmContext() {
    return null;
  }
}
