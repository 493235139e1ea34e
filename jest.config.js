// Jest runs what tsc wrote; sources are never transformed. Node imports the specs (tools/jest/runtime.mjs), so that they share the modules
// of their worker. Coverage needs Jest's own module loader, which needs `node --experimental-vm-modules` (tools/test.mjs).
import { availableParallelism } from 'node:os';

const native = {
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  runtime: '<rootDir>/tools/jest/runtime.mjs',
};

/** The packages that libs/mapping requires (optionalPackage) and theirs, where they are ES modules. */
const required = '/node_modules/(?:htmlparser2|dom[^/]+|entities|jsonpath-rfc9535)/.+\\.js$';
const coverage = {
  transform: { [required]: '<rootDir>/tools/jest/common-js.mjs' },
  transformIgnorePatterns: [],
};

export default {
  rootDir: '.',
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  setupFiles: ['<rootDir>/tools/jest/property-seed.mjs'],
  transform: {},
  ...(process.argv.some((arg) => arg.startsWith('--coverage')) ? coverage : native),
  testSequencer: '<rootDir>/tools/long-specs-first.mjs',
  // One more than there are cores: a quarter of the time a spec waits, for processes that it started and for limits that end.
  maxWorkers: availableParallelism() + 1,
  // A worker that starts anew loads and compiles for eight seconds, but files of many MB cost one of 3 GB six times the time of a new one.
  workerIdleMemoryLimit: '1GB',
  // PostgreSQL and NATS for the specs that ask for them: test/harness.
  globalSetup: '<rootDir>/dist/test/harness/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/harness/global-teardown.js',
  // For a test that hangs. Most take seconds, but many times as long on a slow machine with other work, where nothing must fail for it.
  testTimeout: 180_000,
  collectCoverageFrom: ['dist/libs/**/*.js', '!**/*.spec.js'],
  coverageProvider: 'v8',
};
