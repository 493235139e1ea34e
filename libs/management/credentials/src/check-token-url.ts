import { ApiError } from '#contract';
import { parsePointer, type PatchOperation } from '#patch';

type Config = Record<string, unknown>;

/**
 * Refuses a patch that sends a stored client secret to another origin, where whoever chooses the address could read it.
 * Applies to callers who may not replace the credential as a whole.
 * @throws ApiError 403
 */
export function checkTokenUrl(
  before: Config,
  after: Config,
  patch: readonly PatchOperation[],
): void {
  const origin = originOf(after['token_url']);
  if (origin === originOf(before['token_url'])) return;
  const isGiven = patch.some(({ op, path }) => {
    const [first, field] = parsePointer(path) ?? [];
    return (
      op !== 'remove' && first === 'config' && (field === undefined || field === 'client_secret')
    );
  });
  if (isGiven) return;
  throw new ApiError(
    403,
    `the stored client secret would be sent to ${origin}, which is not a configured origin of it`,
    {
      remediation:
        'Set /config/client_secret in the same patch, or use a token that may update credentials.',
    },
  );
}

function originOf(url: unknown): string {
  if (typeof url !== 'string') return 'the token address of the provider';
  return URL.canParse(url) ? new URL(url).origin : url;
}
