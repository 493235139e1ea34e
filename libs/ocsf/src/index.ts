export { lintRecord, type LintOptions } from './lint-record.js';
export type { LintProblem, LintResult } from './report.js';
