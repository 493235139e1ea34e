import { environment } from '#config';
import { runProcess } from '#observe';
import { startAgent } from './start-agent.js';

await runProcess(() => startAgent(process.argv.slice(2), environment()));
