export {
  checkSchedules,
  type Schedulable,
  type Schedule,
  schedulesFor,
} from './check-schedules.js';
export { JobsModule } from './jobs.module.js';
