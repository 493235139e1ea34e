// The globals of the worker as the environment of its tests. It also writes how much processor time each spec file took.
import { appendFileSync, readFileSync } from 'node:fs';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class NativeEnvironment {
  global = globalThis;
  fakeTimers = null; // The old implementation.
  moduleMocker = new ModuleMocker(globalThis);
  before = processorTime();

  constructor({ projectConfig }, { testPath }) {
    this.testPath = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    this.before = processorTime();
  }

  async teardown() {
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')]; // That of jest.setTimeout is for one spec file.
    this.fakeTimersModern.dispose();
    const file = process.env.SPEC_PROCESSOR_FILE;
    if (file === undefined) return;
    const now = processorTime();
    const own = now.own - this.before.own;
    const children = now.children - this.before.children;
    const line = { name: this.testPath, own, children, worker: process.pid };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  exportConditions() {
    return [];
  }

  /** The environment has no context of its own, but Jest requires the method. */
  getVmContext() {
    return null;
  }
}

/** Seconds of this process and of its children that have ended; of these only on Linux. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: childrenTime() };
}

function childrenTime() {
  if (process.platform !== 'linux') return 0;
  // The 16th and 17th field, in hundredths of a second; the second one is a name in parentheses, which may have spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
