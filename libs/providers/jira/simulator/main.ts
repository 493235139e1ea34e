import { runSimulator } from '#providers/simulator';
import { jira } from './jira.js';

await runSimulator(jira);
