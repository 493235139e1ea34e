import type { Result } from '#contract';

export type RequestRecord = Result<'requests_get'>['result'];
