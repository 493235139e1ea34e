import type { Organization } from '#store';

/** Returns whether an organization may use the service now. */
export function organizationState(
  { state, endDate }: Organization,
  now: number,
): 'enabled' | 'disabled' {
  if (state === 'disabled') return 'disabled';
  return state === 'plg' && endDate !== null && Date.parse(endDate) < now ? 'disabled' : 'enabled';
}
