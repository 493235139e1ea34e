import { runSimulator } from '#test/simulators';
import { jira } from './jira.js';

await runSimulator(jira);
