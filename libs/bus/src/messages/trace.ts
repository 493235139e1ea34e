const form = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;
const none = /^0+$/;

/** Returns the trace id of a W3C `traceparent`; undefined if it is missing or invalid. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = traceparent === undefined ? undefined : form.exec(traceparent)?.[1];
  return id === undefined || none.test(id) ? undefined : id;
}

/** Returns the fields that name the owner of a token in the logs of all processes. */
export function logOwner(
  owner: { organizationId: string; accountId?: string; integrationId?: string } | null | undefined,
): Record<string, string> {
  if (!owner) return {};
  const { organizationId, accountId, integrationId } = owner;
  return {
    organization_id: organizationId,
    ...(accountId === undefined ? {} : { account_id: accountId }),
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
  };
}

/** Returns the fields that identify a call in the logs of all processes: the request id, and the trace id of the caller. */
export function logIds({
  requestId,
  traceparent,
}: {
  requestId: string;
  traceparent?: string | undefined;
}): {
  request_id: string;
  trace_id?: string;
} {
  const traceId = traceIdOf(traceparent);
  return traceId === undefined
    ? { request_id: requestId }
    : { request_id: requestId, trace_id: traceId };
}
