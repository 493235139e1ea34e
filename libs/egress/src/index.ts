export { createDispatcher, type DispatcherOptions } from './dispatcher.js';
export { checkForm, EgressPolicy, type Resolve } from './egress-policy.js';
export { EgressRefused } from './egress-refused.js';
export { type OutgoingFetch, outgoingFetch } from './outgoing-fetch.js';
export { type DispatchedRequest, readDispatch } from './read-dispatch.js';
export { Responder } from './responder.js';
