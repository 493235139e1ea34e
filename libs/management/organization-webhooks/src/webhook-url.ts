import { type EgressPolicy, EgressRefused } from '#egress';
import { addressFault, fault, faults } from '#management/core';

/** Checks an address that events are to be sent to. @throws ApiError 400 */
export function checkWebhookUrl(url: string, pointer: string): string {
  const found = addressFault(url, pointer);
  if (found !== undefined) throw faults([found]);
  return url;
}

/**
 * Like checkWebhookUrl, and refuses an address that may not be called now, or whose host resolves to one. Every delivery is checked
 * again. @throws ApiError 400
 */
export async function checkReachableUrl(
  policy: EgressPolicy,
  url: string,
  pointer: string,
): Promise<string> {
  checkWebhookUrl(url, pointer);
  try {
    await policy.checkTarget(url);
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    throw fault(pointer, error.message, {
      value: url,
      remediation: 'Use an address that is reached over the internet, such as https://host/path.',
    });
  }
  return url;
}
