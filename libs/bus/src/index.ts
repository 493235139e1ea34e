export { type FinishedCall } from './calls/call-sizes.js';
export { type Bodies, collect } from './calls/bodies.js';
export {
  type BridgeCall,
  type BridgeHandler,
  type BridgeReply,
  Bus,
  type BusReply,
  type Bytes,
  type CallOptions,
  type Envelope,
} from './bus.js';
export { BusModule } from './bus.module.js';
export { type Around, BusServer } from './calls/bus-server.js';
export { Cancellation } from './cancellation.js';
export { connectorRole } from './connector-role.js';
export { connectNats } from './nats/connect-nats.js';
export { handledOperations, Handles, Serves } from './calls/decorators.js';
export { type Events, maxUnheardMs } from './events.js';
export { measureChanges } from './changes/measure-changes.js';
export { changeLimits, type LookUpStart, RecordChanges } from './changes/record-changes.js';
export { pingManagement } from './calls/ping-management.js';
export { InProcessTransport } from './in-process-transport.js';
export { internalCallRules } from './calls/internal-call-rules.js';
export type {
  BridgeAgent,
  BridgeReport,
  InternalCalls,
  InternalContext,
  Introspection,
  Origin,
  GatewayRecord,
  RefusedSecret,
  ResolvedAdditionalMapping,
  ResolvedBridge,
  ResolvedChain,
  GoneWebhook,
  GrantRevoked,
  RenewedCredential,
  ResolvedCredential,
  ReplayedCall,
  ResolvedIntegration,
  Verification,
  ResolvedMapping,
  SignOnStep,
  AuthorizationOutcome,
  GrantBrowser,
} from './calls/internal-calls.js';
export { MessageBus } from './calls/message-bus.js';
export {
  type BusRole,
  natsPermissions,
  passwordVariable,
  subjectPermissions,
} from './nats/nats-permissions.js';
export { connectionOptions, type NatsSettings } from './nats/nats-settings.js';
export { NatsTransport, type NatsTransportOptions } from './nats/nats-transport.js';
export { type RefusalReason, Refusals } from './nats/refusals.js';
export { Kind, type MessageKeys, MessageSeal } from './messages/sealed-message.js';
export { subjectOf } from './subjects.js';
export { logIds, logOwner, traceIdOf } from './messages/trace.js';
export type { Offer, Transport } from './transport.js';
export { type Survey, type SurveyedProcess, surveyProcesses } from './nats/survey.js';
export { type NatsProbe, probeNats, type TriedPermissions } from './nats/try-permissions.js';
