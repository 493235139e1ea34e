import { runSimulator } from '#test/simulators';
import { github } from './github.js';

await runSimulator(github);
