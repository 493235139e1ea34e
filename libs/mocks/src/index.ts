export { Mocks } from './mocks.js';
