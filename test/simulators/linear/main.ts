import { runSimulator } from '#test/simulators';
import { linear } from './linear.js';

await runSimulator(linear);
