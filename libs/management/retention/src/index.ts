export { Retention } from './retention.js';
