export { Mocks } from './mocks.js';
export { mockCredentials } from './mock-credentials.js';
