import { combineSettings } from './combine-settings.js';
import { FromVariable } from './setting.js';
import { EgressSettings, SigningSettings } from './shared-settings.js';

/** Settings of the worker, in a process of its own and in the standalone one. */
export class OperationsSettings extends combineSettings(SigningSettings, EgressSettings) {
  @FromVariable({
    variable: 'CONCURRENT_TASKS',
    about: 'How many pages of jobs a worker runs at once.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  concurrentTasks: number = 10;

  @FromVariable({
    variable: 'CONCURRENT_DELIVERIES',
    about: 'To how many webhooks a worker sends at once, beside its pages of jobs.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  concurrentDeliveries: number = 10;

  @FromVariable({
    variable: 'JOB_PAGE_RECORDS',
    about: 'How many records a job reads and writes at once; operations may allow fewer.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000 },
  })
  jobPageRecords: number = 500;
}
