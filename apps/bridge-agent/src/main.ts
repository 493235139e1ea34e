import { environment } from '#config/runtime';
import { runProcess } from '#observe/runtime';
import { startAgent } from './start-agent.js';

await runProcess(() => startAgent(process.argv.slice(2), environment()));
