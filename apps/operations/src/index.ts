export { openOperations, type OpenOperations, type OperationsOptions } from './open-operations.js';
export { recordDisabled } from './record-disabled.js';
