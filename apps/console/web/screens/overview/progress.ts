import { useRef } from 'preact/hooks';
import type { OperationId } from '#contract';
import { mayCallUnasked } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { demoLabel } from '../../parts/demo.js';

const pollMs = 5_000;
const maxDemoAccounts = 10;
const maxTokens = 50;
/** The token that `npm start` prints, and those of commands that were copied here, have names that begin with this. */
export const tokenName = 'first-start';

const needed: readonly OperationId[] = [
  'accounts_list',
  'accounts_create',
  'integrations_list',
  'integrations_create',
  'status_list',
  'tokens_list',
  'tokens_create_integration_token',
  'requests_list',
];

/** The first steps that have happened, by the records of the service. */
export interface Progress {
  hasRecord: boolean;
  hasCommand: boolean;
  hasCustomer: boolean;
  hasSystem: boolean;
}

/** Accounts with made-up data. */
export function useDemoAccounts() {
  const query = { limit: maxDemoAccounts, filter: `labels[in]${demoLabel}` };
  const isPermitted = mayCallUnasked('accounts_list');
  return useRead('accounts_list', { query }, undefined, isPermitted).data?.result;
}

/**
 * Reads how far somebody has come who begins.
 * @param demo ids of accounts with made-up data; undefined until they are known
 * @returns undefined until it is known, and for those who are past the beginning: a system of their own has handled a call, or all is done
 */
export function useProgress(demo: readonly string[] | undefined): Progress | undefined {
  const isPermitted = needed.every(mayCallUnasked) && demo !== undefined;
  const own = demo?.length ? [`account_id[not in]${demo.join(',')}`] : [];
  const called = ['requests[gt]0'];
  const first = { limit: 1 };
  const ownCalls = useRead(
    'status_list',
    { query: { ...first, filter: [...called, ...own] } },
    undefined,
    isPermitted,
  );
  // The steps stay where the first record was one of a system of their own.
  const wasNew = useRef(false);
  wasNew.current ||= isPermitted && ownCalls.data?.result.length === 0;
  const isNew = isPermitted && wasNew.current;
  const calls = useRead('status_list', { query: { ...first, filter: called } }, pollMs, isNew);
  const customers = useRead(
    'accounts_list',
    { query: { ...first, filter: `labels[not in]${demoLabel}` } },
    undefined,
    isNew,
  );
  const systems = useRead(
    'integrations_list',
    { query: { ...first, filter: own } },
    undefined,
    isNew,
  );
  const tokens = useRead(
    'tokens_list',
    { query: { limit: maxTokens, filter: `name[like]${tokenName}%` } },
    undefined,
    isNew,
  ).data?.result;
  const ids = tokens?.map(({ id }) => id).join(',') ?? '';
  const commands = useRead(
    'requests_list',
    { query: { ...first, filter: `token_id[in]${ids}` } },
    pollMs,
    isNew && ids !== '',
  );
  const lists = [calls, customers, systems].map(({ data }) => data?.result);
  if (!isNew || tokens === undefined || lists.includes(undefined)) return undefined;
  const [hasRecord = false, hasCustomer = false, hasSystem = false] = lists.map(
    (list) => list?.length === 1,
  );
  const hasCommand = ids !== '' && commands.data?.result.length === 1;
  if (hasRecord && hasCommand && hasCustomer && hasSystem) return undefined;
  return { hasRecord, hasCommand, hasCustomer, hasSystem };
}
