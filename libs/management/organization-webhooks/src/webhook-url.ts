import { addressFault, faults } from '#management/core';

/** Checks an address that events are to be sent to. @throws ApiError 400 */
export function checkWebhookUrl(url: string, pointer: string): string {
  const found = addressFault(url, pointer);
  if (found !== undefined) throw faults([found]);
  return url;
}
