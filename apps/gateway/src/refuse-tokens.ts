import { badRequest, type Operation } from '#contract';
import { holdsToken } from '#secrets';

/** Refuses tokens in URLs, because proxies and servers log URLs. @throws ApiError 400 */
export function refuseTokens(
  operation: Operation,
  path: Record<string, string>,
  search: string,
): void {
  const inPath = Object.entries(path).find(([, value]) => holdsToken(value));
  // Webhook senders that cannot set a header may use a parameter.
  const inQuery = !('token' in operation.query) && holdsToken(search);
  if (!inPath && !inQuery) return;
  throw badRequest({
    location: inPath ? 'path' : 'query',
    pointer: inPath?.[0] ?? '',
    message: 'holds a token',
    remediation:
      'Send tokens in the Authorization header only, and revoke this one: URLs are logged on their way.',
  });
}
