import { operations, type OperationId } from '#contract';
import type { Action } from './source.js';

/** The operations that a provider of a domain may offer. */
export function idsOf(domain: string): string[] {
  return [...operations.values()]
    .filter(({ side, group }) => side === 'connector' && (domain === 'custom' || group === domain))
    .map(({ id }) => id);
}

/** `ticketing_list_comments` is a query of comments. */
export function actionOf(id: string): Action {
  const method = operations.get(id as OperationId)?.method ?? 'GET';
  const verb = id.split('_')[1] ?? '';
  if (['list', 'query'].includes(verb)) return 'query';
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH') return 'patch';
  if (method === 'POST' || method === 'PUT') return 'create';
  return 'read';
}

/** `ticketing_list_comments` is about comments. */
export function resourceOf(id: string): string {
  const words = id
    .split('_')
    .slice(2)
    .join('_')
    .replace(/_metadata$/, '');
  return words.endsWith('s') ? words : `${words}s`;
}
