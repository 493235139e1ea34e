import { ApiError, badRequest } from '#contract';
import type { Value } from '@onefold/mapping';
import {
  type CompiledProvider,
  type CompiledVerification,
  evaluate,
  textOf,
} from '#provider-document';
import { type HttpCall, IntegrationHttp } from './integration-http.js';

/** Tries a configuration. @throws ApiError for the first call that fails, naming the permission it needs */
export async function verifyConfiguration(
  compiled: CompiledProvider,
  call: HttpCall,
): Promise<void> {
  const http = new IntegrationHttp(compiled, call);
  for (const one of compiled.verify) {
    const answer = await http
      .call(one, {}, { primary: true, needs: one.needs })
      .catch((error: unknown) => {
        throw notFoundInConfiguration(compiled, one, error);
      });
    const input: Value = {
      config: http.config(),
      status: answer.status,
      headers: { ...answer.headers },
      body: answer.body,
    };
    if (!one.passes || evaluate(one.passes, input, `${one.place}.passes`, http.limits) === true)
      continue;
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
