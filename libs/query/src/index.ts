export { type Field, type Fields, type FieldType, namesOf, suggest } from './fields.js';
export {
  type Filter,
  type FilterValue,
  likePattern,
  matcher,
  type Operator,
  parseFilter,
} from './filter.js';
export { instantOf, parseInstant } from './instant.js';
export { comparer, type Order, parseOrder } from './order.js';
export { QueryError } from './query-error.js';
export { fieldReader, fieldsBehind } from './read-field.js';
