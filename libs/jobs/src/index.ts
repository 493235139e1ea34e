export { cancelJob } from './end-run.js';
export { createJob, type NewJob } from './create-job.js';
export { findSink, type Sink } from './find-sink.js';
export { JobRunner, type JobRunnerParts } from './job-runner.js';
export { jobView } from './job-view.js';
export { maxErrors } from './job-errors.js';
