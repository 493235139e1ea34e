export { decodedContent, isGzip, UnknownCoding } from './decode-content.js';
export { decodeText } from './decode-text.js';
export { createDispatcher, type DispatcherOptions } from './dispatcher.js';
export { checkForm, EgressPolicy, type Resolve } from './egress-policy.js';
export { EgressProxy, EgressProxyFailure } from './egress-proxy.js';
export { EgressRefused } from './egress-refused.js';
export { type OutgoingFetch, outgoingFetch } from './outgoing-fetch.js';
export { parseTime } from './parse-time.js';
export { type DispatchedRequest, readDispatch } from './read-dispatch.js';
export type { Responder } from './responder.js';
export { RespondingDispatcher } from './responding-dispatcher.js';
export { readWait, remainingOf, type ResetHeader, waitMs } from './wait-times.js';
export { Attempts } from './attempts.js';
export { hostFailureOf, isTimeout, proxyFailureIn, wasSent } from './host-failure.js';
export { type EgressSettings, openEgress } from './open-egress.js';
export { NoPauses } from './no-pauses.js';
export { Pauses } from './pauses.js';
export { readBytes, ResponseTooLarge } from './read-bytes.js';
export {
  NoResponse,
  type Outgoing,
  redirectedTo,
  sendText,
  type TextRequest,
  type TextResponse,
} from './send-text.js';
export { sleep } from './sleep.js';
export { isRedirect, keepsMethod, passingStatuses } from './statuses.js';
