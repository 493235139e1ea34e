import type { Result } from '#contract';

/** The customer whose system is connected. */
export type Account = Result<'accounts_get'>['result'];
