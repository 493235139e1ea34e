// Jest runs what tsc wrote (ESM needs `node --experimental-vm-modules`, see tools/test.mjs); sources are never transformed.
import { availableParallelism } from 'node:os';

export default {
  rootDir: '.',
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  testEnvironment: 'node',
  transform: {},
  testSequencer: '<rootDir>/tools/long-specs-first.mjs',
  // With two cores Jest would run everything in one process, which grows with every spec.
  maxWorkers: Math.max(2, availableParallelism()),
  workerIdleMemoryLimit: '1GB',
  // PostgreSQL and NATS for the specs that ask for them: test/harness.
  globalSetup: '<rootDir>/dist/test/harness/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/harness/global-teardown.js',
  testTimeout: 30_000,
  collectCoverageFrom: ['dist/libs/**/*.js', '!**/*.spec.js'],
  coverageProvider: 'v8',
};
