/** Kinds of spans: `server` answers a call of another process or client, `client` makes one, `consumer` runs a task of the queue. */
export type SpanKind = 'server' | 'client' | 'consumer';

/** Facts of a span, by the names of OpenTelemetry's semantic conventions. Never payloads, ids of records or addresses with a path. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A span that is under way. */
export interface Span {
  set(facts: SpanFacts): void;
  /** Marks the span as failed. What is thrown in it does so too. */
  fail(): void;
}

export interface SpanOptions {
  kind: SpanKind;
  /** Called only if the span is recorded. */
  facts?: () => SpanFacts;
  /** W3C `traceparent` of the span that this one belongs to, in another process. By default that of the same process. */
  parent?: string | undefined;
}

/** Records spans; `openTelemetry` has the one that sends them. */
export interface Tracing {
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The W3C `traceparent` of the span that is under way here. */
  traceparent(): string | undefined;
}

const unrecorded: Span = { set: () => undefined, fail: () => undefined };

let tracing: Tracing | undefined;

/** Records the spans of this process; undefined ends it. */
export function recordSpans(by: Tracing | undefined): void {
  tracing = by;
}

/** Runs work in a span. Without tracing it only runs the work. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracing === undefined ? work(unrecorded) : tracing.run(name, options, work);
}

/** Returns the W3C `traceparent` for calls of other processes; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  return tracing?.traceparent();
}
