const form = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;
const none = /^0+$/;

/** The trace id of a W3C `traceparent`; undefined where there is none or what came is no such thing. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const id = traceparent === undefined ? undefined : form.exec(traceparent)?.[1];
  return id === undefined || none.test(id) ? undefined : id;
}

/** What the lines of a log name a call by: one request over all processes, and the caller's trace it belongs to. */
export function logIds({ requestId, traceparent }: { requestId: string; traceparent?: string }): {
  request_id: string;
  trace_id?: string;
} {
  const traceId = traceIdOf(traceparent);
  return { request_id: requestId, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}
