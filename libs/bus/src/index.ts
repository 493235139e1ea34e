export { type Answered } from './answered.js';
export { type Bodies, collect } from './bodies.js';
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
export { type Around, BusServer } from './bus-server.js';
export { Cancellation } from './cancellation.js';
export { connectorRole } from './connector-role.js';
export { connectNats } from './connect-nats.js';
export { handledOperations, Handles, Serves } from './decorators.js';
export { type Events, maxUnheardMs } from './events.js';
export { InProcessTransport } from './in-process-transport.js';
export { internalCallRules } from './internal-call-rules.js';
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
  ResolvedIntegration,
  Verification,
  ResolvedMapping,
  SignOnStep,
  AuthorizationOutcome,
  GrantBrowser,
} from './internal-calls.js';
export { MessageBus } from './message-bus.js';
export {
  type BusRole,
  natsPermissions,
  passwordVariable,
  subjectPermissions,
} from './nats-permissions.js';
export { connectionOptions, type NatsSettings } from './nats-settings.js';
export { NatsTransport, type NatsTransportOptions } from './nats-transport.js';
export { type RefusalReason, Refusals } from './refusals.js';
export { Kind, type MessageKeys, MessageSeal } from './sealed-message.js';
export { subjectOf } from './subjects.js';
export { logIds } from './trace.js';
export type { Offer, Transport } from './transport.js';
export { type NatsProbe, probeNats, type TriedPermissions } from './try-permissions.js';
