export { type BodyFields, bodyFields } from './body-fields.js';
export {
  type Body,
  type Call,
  type CallAborts,
  CallNotes,
  type CallRecording,
  type NotedExchange,
  type Path,
  type Query,
  type Reply,
  type Result,
  StreamReply,
  type Upload,
} from './call.js';
export { servedDocument, servedSchemas } from './documents.js';
export { parseDuration } from './duration.js';
export { completeClass, completeClasses } from './event-class.js';
export { isForm, payloadOf, readForm } from './form-body.js';
export { isDateTime } from './formats.js';
export { type Locale, localeOf, locales } from './locales.js';
export { referenceFile } from './reference-file.js';
export { type Match, matchRoute } from './match-route.js';
export {
  type BodyLimits,
  budgetMs,
  domains,
  dryRunType,
  type Operation,
  type OperationId,
  operationOf,
  operations,
  type QueryParameter,
  servedDomains,
  unpolledMs,
} from './operations.js';
export {
  type ConnectScope,
  type ConnectSessionData,
  connectSessionData,
  type AccountLimit,
  atMcpEndpoint,
  type Caller,
  type CallerPermission,
  decide,
  type Decision,
  isJob,
  isUnlimited,
  isWithin,
  jobTokenId,
  type McpUse,
  mcpUse,
  offersProvider,
  permissionSets,
  triesDangersOnly,
  permits,
  allows,
  reaches,
} from './permissions.js';
export {
  ApiError,
  type ApiErrorOptions,
  badRequest,
  conflict,
  type Fault,
  forbidden,
  notFound,
  notImplemented,
  type Problem,
  type ProblemContext,
  type ResourceType,
  unauthorized,
  type VerificationCheck,
} from './problem.js';
export { type RecordOutline, recordOutline } from './record-outline.js';
export { recordMembers } from './record-members.js';
export { type RecordField, type RecordFields, recordFields } from './record-fields.js';
export { type FittedRecord, fitRecord, type Misfit } from './fit-record.js';
export { enumeratedFields } from './record-shapes.js';
export { type RecordFault, validateRecord } from './validate-record.js';
export { readQuery } from './read-query.js';
export { type WebhookEvent, webhookEvents } from './webhook-events.js';
export { textFault } from './text-fault.js';
export { type JsonFault, scanJson } from './scan-json.js';
export { loadValidatorOf, loadValidators, validateBody } from './validate-body.js';
export type { ConnectorSchemas, ManagementSchemas } from './schemas.js';
export { storableText } from './storable-text.js';
