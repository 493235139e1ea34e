import type { Problem } from '#contract';

type Kind =
  'refused' | 'permission' | 'missing' | 'unreachable' | 'busy' | 'invalid' | 'offline' | 'failed';

/** Finds the meaning of a problem for somebody who connects a system. */
export function kindOf({ status, context, cause }: Problem): Kind {
  if (status === 0) return 'offline';
  const { provider_details: details, raw_error: raw, parameter } = context ?? {};
  if (details) {
    if (details['status'] === '401') return 'refused';
    if (details['status'] === '403') return 'permission';
    if (details['status'] === '404') return 'missing';
    if (details['status'] === '429') return 'busy';
    return details['status'] === undefined && raw === undefined ? 'unreachable' : 'failed';
  }
  if (status === 429) return 'busy';
  return parameter || cause?.some((one) => one.context?.parameter) ? 'invalid' : 'failed';
}
