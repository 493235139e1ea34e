import { runSimulator } from '#providers/simulator';
import { github } from './github.js';

await runSimulator(github);
