export { lintRecord, type LintOptions } from './lint-record.js';
export type { LintProblem, LintResult } from './report.js';
export { sharedTemplate, type SharedTemplate, sharedTemplateSources } from './shared-templates.js';
