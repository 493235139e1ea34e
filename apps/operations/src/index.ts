export { openOperations, type OpenOperations, type OperationsOptions } from './open-operations.js';
