import { connectorOperations } from '../api/operations.js';
import { humanize } from '../forms/schema.js';

/** `accounts.create` → `Accounts: create` */
export function permissionName(permission: string): string {
  const [kind = '', ...action] = permission.split('.');
  return `${humanize(kind)}: ${humanize(action.join('_')).toLowerCase()}`;
}

const ofConnector = new Set<string>(connectorOperations.map(({ id }) => id));

/** `ticketing_query_tickets` → `Query tickets`; of the management API with what it is about: `accounts_create` → `Accounts: create` */
export function operationName(id: string): string {
  const at = id.indexOf('_');
  const name = humanize(id.slice(at + 1));
  return at < 0 || ofConnector.has(id)
    ? name
    : `${humanize(id.slice(0, at))}: ${name.toLowerCase()}`;
}
