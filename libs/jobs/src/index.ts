export { cancelJob } from './end-run.js';
export { createJob, type NewJob } from './create-job.js';
export { findSink, type Sink } from './find-sink.js';
export { JobRunner, type JobRunnerParts } from './job-runner.js';
export { jobView } from './job-view.js';
export { StatusEvents, type StatusEventsParts } from './status-events.js';
export type { FailureReason } from './page-failed.js';
export { retryJob } from './retry-job.js';
export { maxErrors } from './job-errors.js';
