import { humanize } from '../forms/schema.js';

/** `ticketing_query_tickets` → `Query tickets` */
export function operationName(id: string): string {
  return humanize(id.slice(id.indexOf('_') + 1));
}
