export { matches, matchesAny } from './matches.js';
export { type MetaCalls, readMetaCalls } from './meta-calls.js';
export {
  type MetaAnswer,
  MetaCollector,
  type ProviderAnswer,
  type TracedRecord,
} from './meta-collector.js';
export { MetaError } from './meta-error.js';
