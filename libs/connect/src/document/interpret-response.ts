import type { Limits, Value } from '@onefold/mapping';
import {
  type CompiledError,
  type CompiledOperation,
  type CompiledProvider,
  evaluateIfPossible,
} from '#provider-document';
import type { Interpretation, ProviderResponse } from '#provider-http';
import { passingStatuses, readWait } from '#egress';
import type { CallDrift } from '../drift/drift.js';
import type { CallUsage } from '../usage/usage.js';
import { isLimitedByBody, waitInBody } from './limit-in-body.js';

const meaningfulStatuses = new Set([401, 403, 404, 409, 410, 412, 416, 501]);

/**
 * Interprets a response by the `errors`, `limited` and `message` of the document. Those that fail are ignored: an error of another shape
 * than the document expects is still an error. A body that says by itself that a limit is reached needs no `limited`.
 */
export function interpretResponse(
  answer: ProviderResponse,
  {
    provider,
    operation,
    config,
    limits,
    drift,
  }: {
    provider: CompiledProvider;
    operation: CompiledOperation | undefined;
    config: Value;
    limits: Limits | undefined;
    drift?: CallDrift | undefined;
  },
): Interpretation {
  const input = {
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    config,
  } as Value;
  const { warnings } = provider;
  drift?.noteResponse(answer.headers, warnings && evaluateIfPossible(warnings, input, limits));
  const fits = (error: CompiledError) => evaluateIfPossible(error.when, input, limits) === true;
  const found = operation?.errors.find(fits) ?? provider.errors.find(fits);
  const limited = provider.limited && evaluateIfPossible(provider.limited, input, limits) === true;
  // A code of a limit says more than a rule for all errors, such as one for `ok: false`.
  const status = isLimitedByBody(answer.status, answer.body)
    ? 429
    : (found?.status ?? (limited ? 429 : undefined));
  if (status === undefined && answer.status < 300) return {};
  if (status === undefined && !hasMeaning(answer.status))
    drift?.noteUnmatchedError(String(answer.status));
  const words = found?.message ?? provider.message;
  const message = words && evaluateIfPossible(words, input, limits);
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    ...((status ?? answer.status) === 429
      ? { retryAfterMs: askedWait(answer, provider, input, limits) }
      : {}),
  };
}

/** True for statuses that say by themselves what is the matter: of the others only a rule of the document could. */
function hasMeaning(status: number): boolean {
  return status < 400 || passingStatuses.includes(status) || meaningfulStatuses.has(status);
}

/** The wait in the body of a limited response: as the document says where it is, else in the fields that are in use. */
function askedWait(
  { body }: ProviderResponse,
  { retryAfter }: CompiledProvider,
  input: Value,
  limits: Limits | undefined,
): number | undefined {
  const asked = retryAfter && evaluateIfPossible(retryAfter, input, limits);
  if (typeof asked === 'number' || typeof asked === 'string')
    return readWait(String(asked), Date.now());
  return waitInBody(body, Date.now());
}

/** Maximum length of the provider's words in the reason of a state, as in the message of an error. */
const maxWordsLength = 500;

/**
 * Notes the state of the integration that the status of a response shows.
 * @param words the provider's own, without secrets
 */
export function reportState(
  usage: CallUsage,
  status: number,
  { source: { fullname: provider } }: CompiledProvider,
  { credentialId, words }: { credentialId?: string | undefined; words?: string } = {},
): void {
  const credential = credentialId ?? 'the credential';
  const said = words ? `: ${words.slice(0, maxWordsLength)}` : '';
  if (status === 401)
    usage.report('credentials_refused', `${provider} refuses ${credential}${said}`);
  if (status === 403)
    usage.report(
      'permission_missing',
      `${provider} does not permit this with ${credential}${said}`,
    );
  if (status === 429)
    usage.report('rate_limited', `${provider} takes no more calls for now${said}`);
}
