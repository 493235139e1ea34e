export { EgressPolicy, type Resolve } from './egress-policy.js';
export { createDispatcher, type DispatcherOptions } from './dispatcher.js';
export { EgressRefused } from './egress-refused.js';
