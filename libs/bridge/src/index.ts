export { AgentLink, type BridgeResponse } from './agent-link.js';
export { BridgeFailure, type FailureReason, readFailure, writeFailure } from './failure.js';
export {
  type AgentFacts,
  type AgentStats,
  connectPath,
  fingerprint,
  handshakeMs,
  type Hello,
  makeNonce,
  readHello,
  readStats,
  writeHello,
} from './handshake.js';
export {
  maxFrameBytes,
  maxStreams,
  maxUnreadBodyBytes,
  protocolVersion,
  windowBytes,
} from './limits.js';
export { closeCodes, type LinkMessage } from './link.js';
export {
  readResponse,
  type RequestHead,
  type ResponseHead,
  passedHeaders,
  readRequest,
  writeRequest,
} from './messages.js';
export { fieldPlace, type SecretUse } from './secret-use.js';
export {
  type AgentRequest,
  type AgentResponse,
  type HandleRequest,
  ServerLink,
} from './server-link.js';
export type { Body } from './stream.js';
