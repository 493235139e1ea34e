import { runSimulator } from '#providers/simulator';
import { linear } from './linear.js';

await runSimulator(linear);
