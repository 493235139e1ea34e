// The door for programs without metrics and a framework, whose packages take 25 MB of memory.
export { describeError, JsonLog, type JsonLogOptions, type Severity } from './json-log.js';
export { explainError, type RunOptions, runProcess, StartError, type Stop } from './run-process.js';
