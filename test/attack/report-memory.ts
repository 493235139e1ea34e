import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into a process under test (NODE_OPTIONS=--import): at SIGUSR2 it collects garbage and prints the remaining
// memory.
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    for (let round = 0; round < 4; round += 1) collect();
    setTimeout(() => {
      collect();
      const { rss, heapUsed, external } = process.memoryUsage();
      process.stdout.write(`memory ${JSON.stringify({ rss, used: heapUsed + external })}\n`);
    }, 200);
  });
}
