import type { Result } from '#contract';

export type Provider = Result<'capabilities_get_provider'>['result'];
