export { checkSchedules } from './check-schedules.js';
export { scheduleNotes } from './schedule-notes.js';
export { JobsModule } from './jobs.module.js';
