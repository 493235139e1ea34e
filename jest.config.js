// Jest runs what tsc wrote (ESM needs `node --experimental-vm-modules`, see tools/test.mjs); sources are never transformed.
export default {
  rootDir: '.',
  roots: ['<rootDir>/dist'],
  testMatch: ['**/*.spec.js'],
  testEnvironment: 'node',
  transform: {},
  testTimeout: 30_000,
  collectCoverageFrom: ['dist/libs/**/*.js', '!**/*.spec.js'],
  coverageProvider: 'v8',
};
