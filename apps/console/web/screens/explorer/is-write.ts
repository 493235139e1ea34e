import type { Declared } from '../../api/api-documents.js';

/** Operations that read by a POST. */
const isSearch = /_(?:query|list|get|search)_/;

/** Whether an operation may change something. */
export function isWrite({ id, method }: Declared): boolean {
  return !['GET', 'HEAD'].includes(method) && !isSearch.test(id);
}
