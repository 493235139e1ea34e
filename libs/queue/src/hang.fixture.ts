// A worker that takes tasks and never ends them: to be killed. Its arguments are the URL of the database and the name of the task.
import { openPool } from '#store';
import { defineTask, handleTask, QueueWorker } from './index.js';

const [url = '', name = ''] = process.argv.slice(2);
const hang = handleTask(defineTask<{ n: number }>(name), async ({ n }) => {
  process.stdout.write(`took ${n}\n`);
  await new Promise(() => undefined);
});
new QueueWorker({ pool: openPool({ url, poolSize: 4 }), handlers: [hang], concurrency: 2 }).start();
