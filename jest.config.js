// Jest runs what tsc wrote (ESM needs `node --experimental-vm-modules`, see tools/test.mjs); sources are never transformed.
export default {
  rootDir: '.',
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  testEnvironment: 'node',
  transform: {},
  // PostgreSQL and NATS for the specs that ask for them: test/harness.
  globalSetup: '<rootDir>/dist/test/harness/global-setup.js',
  globalTeardown: '<rootDir>/dist/test/harness/global-teardown.js',
  testTimeout: 30_000,
  collectCoverageFrom: ['dist/libs/**/*.js', '!**/*.spec.js'],
  coverageProvider: 'v8',
};
