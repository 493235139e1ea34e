export { AccessTokens, type TokenSource } from './credentials/access-tokens.js';
export {
  Authentication,
  type CredentialUse,
  type OpenedCredential,
} from './credentials/authentication.js';
export { bridgeRoute, type BridgeSender } from './sending/bridge-dispatcher.js';
export { type CallWait, connectionsPerHost } from './limits/call-slots.js';
export { type ClientCertificate, ClientCertificates } from './credentials/client-certificates.js';
export type { RoleRequest, TokenOutgoing } from './credentials/assume-role.js';
export type { TokenOwner } from './credentials/fetch-access-token.js';
export { fetchToken, type TokenRequest } from './credentials/fetch-token.js';
export type { FailedCall } from './failed-call.js';
export {
  failureContext,
  mayBeCarriedOut,
  memoryFailure,
  otherVersion,
  ProviderRefusal,
} from './failures.js';
export { FileBody, multipartBody } from './bodies/file-body.js';
export { type FilePart, readParts } from './bodies/file-parts.js';
export { OwnAwsKeys } from './credentials/own-aws-keys.js';
export { type AnswerOffline, type OfflineAnswer, OfflineHttp } from './sending/offline-http.js';
export { ProviderHttp } from './provider-http.js';
export type { Interpretation, SendOptions } from './send-options.js';
export type { ProviderResponse, ProviderRequest, SentResponse } from './provider-request.js';
export { Redactor, minSecretLength } from './redact.js';
export type { OnExchange, SentExchange } from './sent-exchange.js';
export type { Route } from './sending/route.js';
export { type Login, LoginRefused, type Session, Sessions } from './credentials/sessions.js';
export type {
  BudgetStatus,
  JobPace,
  Permit,
  PermitPlace,
  Permits,
  RequestBudget,
} from './limits/permits.js';
export {
  estimateValue,
  type MemoryLease,
  ResponseMemory,
  ResponseMemoryExhausted,
} from './limits/response-memory.js';
export { Governor } from './limits/governor.js';
export { rateLimitHeaders } from './limits/rate-limit-headers.js';
export { UploadedFile } from './bodies/uploaded-file.js';
export { pairs, writeBody } from './bodies/write-body.js';
