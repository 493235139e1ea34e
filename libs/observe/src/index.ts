export { type AccessedCall, logAccess } from './access-log.js';
export {
  type Check,
  Health,
  type ProcessReport,
  type Readiness,
  type RefusedProcess,
} from './health.js';
export { describeError, JsonLog, type JsonLogOptions, type Severity } from './json-log.js';
export { Metrics } from './metrics.js';
export { repeat } from './repeat.js';
export { ObserveModule } from './observe.module.js';
export { type ObserveServer, startObserveServer } from './observe-server.js';
export {
  explainError,
  type RunOptions,
  runProcess,
  StartError,
  StoppedAtStart,
  type Stop,
} from './run-process.js';
export {
  currentTraceparent,
  inSpan,
  recordSpans,
  type Span,
  type SpanFacts,
  type SpanKind,
  type SpanOptions,
} from './spans.js';
export {
  listenError,
  type Observed,
  patiently,
  type ServiceOptions,
  type Started,
  startService,
} from './start-service.js';
