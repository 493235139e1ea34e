import { combineSettings } from './combine-settings.js';
import { MailSettings } from './mail-settings.js';
import { FromVariable } from './setting.js';
import { EgressSettings, SigningSettings } from './shared-settings.js';

/** Settings of the worker, in a process of its own and in the standalone one. */
export class OperationsSettings extends combineSettings(
  SigningSettings,
  EgressSettings,
  MailSettings,
) {
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

  @FromVariable({
    variable: 'JOB_RUN_HOURS',
    about:
      'How long a run of a job may take, from its first page on; its schedule may say less. A run that reaches this or one of the other two limits is cancelled with the reason.',
    schema: { type: 'integer', minimum: 1 },
  })
  jobRunHours: number = 72;

  @FromVariable({
    variable: 'JOB_RUN_PAGES',
    about: 'How many pages a run of a job may read; its schedule may say fewer.',
    schema: { type: 'integer', minimum: 1 },
  })
  jobRunPages: number = 1_000_000;

  @FromVariable({
    variable: 'JOB_RUN_BYTES',
    about: 'How many bytes a run of a job may write; its schedule may say fewer.',
    schema: { type: 'integer', minimum: 1 },
  })
  jobRunBytes: number = 1_000_000_000_000;
}
