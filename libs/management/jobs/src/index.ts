export { checkSchedules } from './check-schedules.js';
export { OperationsModule } from './operations.module.js';
