export { checkSchedules } from './check-schedules.js';
export { JobsModule } from './jobs.module.js';
