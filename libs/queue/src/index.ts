export { enqueue, type EnqueueOptions, defineTask, type Task, type TaskOptions } from './task.js';
export { migrateQueue } from './migrate-queue.js';
export { handleTask, type TaskHandler, type TaskRun } from './task-handler.js';
export { rowsOf, type Statements } from './task.js';
export { queueDepth, type TaskDepth } from './queue-depth.js';
export { QueueWorker, type QueueWorkerOptions } from './queue-worker.js';
