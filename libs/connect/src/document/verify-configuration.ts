import { ApiError, badRequest, type VerificationCheck } from '#contract';
import type { Value } from '@onefold/mapping';
import {
  type CompiledProvider,
  type CompiledVerification,
  evaluate,
  textOf,
} from '#provider-document';
import type { HttpCall } from './http-call.js';
import { IntegrationHttp } from './integration-http.js';
import { checkResponse, withInput } from './step-context.js';

/**
 * Tries a configuration by all calls of the document, so that all missing permissions are told at once. Calls that would say nothing more
 * are left out.
 * @throws ApiError for the first call that fails, naming the permission it needs; its context has all checks
 */
export async function verifyConfiguration(
  compiled: CompiledProvider,
  call: HttpCall,
): Promise<readonly VerificationCheck[]> {
  const http = new IntegrationHttp(compiled, call);
  const checks: VerificationCheck[] = [];
  let first: ApiError | undefined;
  let isUseless = false;
  for (const one of compiled.verify) {
    if (isUseless) {
      checks.push({ needs: one.needs, passed: null });
      continue;
    }
    const error = await failureOf(compiled, http, one);
    checks.push(checkOf(one, error));
    first ??= error;
    isUseless = error !== undefined && failsForAll(one, error);
  }
  if (first === undefined) return checks;
  const { context } = first.options;
  throw new ApiError(first.status, first.message, {
    ...first.options,
    context: { ...context, checks },
    cause: first,
  });
}

/** Makes a call of the verification. @returns the reason for which it does not pass */
async function failureOf(
  compiled: CompiledProvider,
  http: IntegrationHttp,
  one: CompiledVerification,
): Promise<ApiError | undefined> {
  try {
    await tryCall(compiled, http, one);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function checkOf({ needs }: CompiledVerification, error: ApiError | undefined): VerificationCheck {
  if (error === undefined) return { needs, passed: true };
  const { faults, remediation } = error.options;
  const message = faults?.[0]?.message ?? error.message;
  return { needs, passed: false, message, ...(remediation === undefined ? {} : { remediation }) };
}

/**
 * True if other calls would say nothing more: the provider does not answer, fails, takes no more calls or refuses the credential, or the
 * configuration names a wrong record.
 */
function failsForAll({ message }: CompiledVerification, { options }: ApiError): boolean {
  if (options.faults !== undefined) return message !== undefined;
  // The allow-list of a bridge agent may have other methods and paths: all that it lacks is told at once.
  if (options.kind === 'bridge-policy') return false;
  const status = Number(options.context?.provider_details?.['status'] ?? 500);
  return [401, 429].includes(status) || status >= 500;
}

async function tryCall(
  compiled: CompiledProvider,
  http: IntegrationHttp,
  one: CompiledVerification,
): Promise<void> {
  const context = withInput(one, { steps: {}, config: http.config() }, http.limits);
  const answer = await http
    .call(one, context, { primary: true, needs: one.needs })
    .catch((error: unknown) => {
      throw notFoundInConfiguration(compiled, one, error);
    });
  checkResponse(one, context, answer, http);
  const input: Value = {
    config: http.config(),
    status: answer.status,
    headers: { ...answer.headers },
    body: answer.body,
  };
  if (!one.passes || evaluate(one.passes, input, `${one.place}.passes`, http.limits) === true)
    return;
  const words =
    one.message && textOf(evaluate(one.message, input, `${one.place}.message`, http.limits));
  throw badRequest({
    location: 'body',
    pointer: '/provider_config',
    message: words
      ? `${compiled.source.fullname} answers, but ${words}`
      : `${compiled.source.fullname} answers, but shows nothing that needs the permission "${one.needs}"`,
    remediation: words
      ? 'Correct provider_config, or change it at the provider.'
      : `Grant the permission "${one.needs}" at the provider to the owner of the credential.`,
  });
}

/** Providers respond with 404 both to a missing record and to a missing permission; here both are errors of the configuration. */
function notFoundInConfiguration(
  { source }: CompiledProvider,
  { needs }: CompiledVerification,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || error.status !== 404) return error;
  const { context } = error.options;
  return badRequest(
    {
      location: 'body',
      pointer: '/provider_config',
      message: `${source.fullname} does not find what it names, or does not show it to the owner of the credential`,
      remediation: `Correct provider_config, or grant the permission "${needs}" at the provider.`,
    },
    { ...(context === undefined ? {} : { context }), cause: error },
  );
}
