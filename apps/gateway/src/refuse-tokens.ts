import { badRequest, type Operation } from '#contract';
import { holdsToken } from '#secrets';

/** Addresses are logged and kept by whatever they pass: a token does not belong there. @throws ApiError 400 */
export function refuseTokens(
  operation: Operation,
  path: Record<string, string>,
  search: string,
): void {
  const inPath = Object.entries(path).find(([, value]) => holdsToken(value));
  // Senders of webhooks that cannot set a header are given a parameter for it.
  const inQuery = !('token' in operation.query) && holdsToken(search);
  if (!inPath && !inQuery) return;
  throw badRequest({
    location: inPath ? 'path' : 'query',
    pointer: inPath?.[0] ?? '',
    message: 'holds a token',
    remediation:
      'Send tokens in the Authorization header only, and revoke this one: addresses are logged on their way.',
  });
}
