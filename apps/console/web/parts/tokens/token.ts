import type { ManagementSchemas } from '#contract';

export type Token = ManagementSchemas['RefreshToken'];
