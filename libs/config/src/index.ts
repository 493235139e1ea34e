export { type Clock, systemClock } from './clock.js';
export { createIds, type IdKind, idPrefixes, type Ids, isId } from './ids.js';
