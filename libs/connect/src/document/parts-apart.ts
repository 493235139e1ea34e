import type { CompiledProvider } from '#provider-document';
import { Redactor } from '#provider-http';
import { CallUsage, Usage } from '../usage/usage.js';
import type { HttpCall } from './http-call.js';

/** Returns the parts of a call for requests behind its end: the integration, and the credentials that are sent beside others. */
export function partsApart(provider: CompiledProvider, parts: HttpCall): HttpCall {
  const { http, integration, limits } = parts;
  const kept = new Map(
    provider.credentials.flatMap(({ slot, beside }, index) =>
      beside || index === 0 ? [[slot, parts.credential(slot)] as const] : [],
    ),
  );
  const { organizationId, accountId, id: integrationId } = integration;
  return {
    http,
    integration,
    limits,
    redactor: new Redactor(),
    deadline: 0,
    credential: (slot) => kept.get(slot),
    signal: new AbortController().signal,
    usage: new CallUsage(new Usage(), { organizationId, accountId, integrationId }),
    onResponse: () => undefined,
  };
}
