import type { ManagementSchemas } from './schemas.js';
import type { Operation } from './operations.js';

type PermissionSetName = ManagementSchemas['Permissions'];

/** The accounts a permission reaches. Every list that is there has to pass. */
export interface AccountLimit {
  /** Account ids; `*` stands for all. */
  ids: readonly string[];
  /** One of these labels. */
  labels?: readonly string[];
  environments?: readonly string[];
  /** In these accounts only integrations of one of these categories. */
  categories?: readonly string[];
}

/** One role binding of a token: what may be done, and where. */
export interface CallerPermission {
  permissionSet: PermissionSetName;
  /** Absent: all accounts. */
  accounts?: AccountLimit;
  /** Categories of integrations; absent or `*`: all. */
  categories?: readonly string[];
}

/** Who calls, as the token says. */
export interface Caller {
  tokenId: string;
  /** `mcp`: for the MCP endpoint, and refused by every operation. */
  scope: 'organization' | 'integration' | 'mcp';
  organizationId: string;
  memberId: string;
  /** Integration tokens have the three below. */
  accountId?: string;
  integrationId?: string;
  category?: string;
  /** What a token of scope `mcp` is for. */
  mcp?: ManagementSchemas['McpTokenScope'];
  permissions: readonly CallerPermission[];
  /** The call came with the refresh secret: nothing but the token itself may be touched. */
  refreshOnly?: true;
  /** The hash of that secret: a retry of a refresh is told from another refresh by it. */
  refreshHash?: string;
  /** A member who logged on: may end the session and change his password. `password`: and nothing else before he did. */
  session?: 'open' | 'password';
}

type Grants = Record<string, readonly string[]>;

const everything: Grants = { all: ['*'] };
const reading: Grants = { all: ['read'] };
const readActions = new Set(
  'list get lookup status list_account list_events timeseries integration_timeseries list_history'.split(
    ' ',
  ),
);

/** What each permission set permits: keys and actions of the contract's `x-permission`. */
export const permissionSets: Readonly<
  Record<PermissionSetName, { description: string; grants: Grants }>
> = {
  administrator: { description: 'Everything in the organization', grants: everything },
  viewer: { description: 'Reading everything in the organization', grants: reading },
  member: {
    description: 'Own session, and reading accounts and integrations',
    grants: {
      auth: ['*'],
      organizations: ['get'],
      accounts: ['list', 'get'],
      integrations: ['list', 'get', 'list_account'],
      integration_points: ['list', 'get'],
      status: ['list', 'get', 'list_events', 'timeseries', 'integration_timeseries'],
      tokens: ['list', 'get', 'refresh'],
    },
  },
  'account-manager': {
    description: 'Accounts with their integrations, credentials and tokens',
    grants: {
      auth: ['*'],
      organizations: ['get'],
      accounts: ['*'],
      integrations: ['*'],
      credentials: ['*'],
      bridges: ['*'],
      integration_points: ['list', 'get'],
      mappings: ['list', 'get', 'apply'],
      status: ['*'],
      tokens: ['*'],
    },
  },
  'connect-ui': {
    description: 'Connecting the integrations of an account, in a browser',
    grants: {
      accounts: ['get'],
      integrations: ['list_account', 'get', 'create', 'update', 'patch', 'delete', 'verify'],
      // Not update: whoever has it may send stored secrets to another address.
      credentials: ['list', 'get', 'create', 'patch'],
      integration_points: ['get'],
    },
  },
  'token-issuer': {
    description: 'Creating tokens, nothing else',
    grants: { tokens: ['create', 'create_integration', 'refresh'] },
  },
  'mcp-integrations-use-only': {
    description: 'Using integrations at the MCP endpoint',
    grants: {},
  },
  'mcp-management': {
    description: 'Managing accounts and integrations at the MCP endpoint',
    grants: {},
  },
};

/** True when the permission set allows the action on the key. */
export function permits(set: PermissionSetName, key: string, action: string): boolean {
  const { grants } = permissionSets[set];
  const all = grants['all'] ?? [];
  if (all.includes('*') || (all.includes('read') && readActions.has(action))) return true;
  const actions = grants[key] ?? [];
  return actions.includes('*') || actions.includes(action);
}

/** What a caller may reach of an operation: no accounts at all, all of them, or those one of the limits lets through. */
export type Decision =
  { allowed: false } | { allowed: true; accounts: 'all' | readonly AccountLimit[] };

const refused: Decision = { allowed: false };
const unlimited: Decision = { allowed: true, accounts: 'all' };

/** What a refresh secret is good for. */
const renewals = new Set(['tokens_refresh', 'tokens_reset']);
const ownSession = new Set(['auth_logoff', 'auth_change_password']);

/** Decides whether a caller may use an operation, and on which accounts: the one place where this is said. */
export function decide(caller: Caller, operation: Operation): Decision {
  if (operation.public) return unlimited;
  if (caller.refreshOnly) return renewals.has(operation.id) ? unlimited : refused;
  if (caller.scope !== (operation.side === 'management' ? 'organization' : 'integration'))
    return refused;
  if (operation.side === 'connector') return unlimited; // the token belongs to its integration, and reaches no other
  if (caller.session && ownSession.has(operation.id)) return unlimited;
  if (caller.session === 'password') return refused;
  return decideByPermissions(caller.permissions, operation.permission);
}

function decideByPermissions(
  permissions: readonly CallerPermission[],
  permission: Operation['permission'],
): Decision {
  const fitting = permissions.filter(
    (one) =>
      permission === null ||
      (permits(one.permissionSet, permission.key, permission.action) &&
        (isUnlimited(one) || isForLimited(permission, one))),
  );
  if (fitting.length === 0) return refused;
  const limits = fitting.flatMap((one) => limitOf(one) ?? []);
  return limits.length < fitting.length ? unlimited : { allowed: true, accounts: limits };
}

/** Records that lie in accounts: who is limited to some accounts reaches those of them. */
const accountKeys = new Set(
  'accounts integrations credentials bridges status tokens auth audit operations'.split(' '),
);
/** Records of the organization that say nothing of its accounts: who is limited may read them, and try mappings out. */
const sharedKeys = new Set(
  'organizations integration_points mappings customs permission_set'.split(' '),
);

function isForLimited(
  { key, action }: { key: string; action: string },
  { accounts }: CallerPermission,
): boolean {
  if (accountKeys.has(key)) return true;
  // Who is limited to categories reaches the organization, but not what adds up all of its integrations.
  if (!isLimit(accounts)) return key !== 'billing';
  return sharedKeys.has(key) && (readActions.has(action) || action === 'apply');
}

/** What a permission is limited to; undefined when it reaches all accounts and integrations. */
function limitOf({ accounts, categories }: CallerPermission): AccountLimit | undefined {
  const limited = categories !== undefined && !categories.includes('*');
  if (!limited) return isLimit(accounts) ? accounts : undefined;
  return { ...(accounts ?? { ids: ['*'] }), categories };
}

/** True for a permission that no account and no category limits. */
export function isUnlimited(permission: CallerPermission): boolean {
  return limitOf(permission) === undefined;
}

function isLimit(limit: AccountLimit | undefined): limit is AccountLimit {
  return limit !== undefined && !(limit.ids.includes('*') && !limit.labels && !limit.environments);
}

/** True when an account passes the limits; with a category, when integrations of it in this account do. */
export function reaches(
  accounts: 'all' | readonly AccountLimit[],
  account: { id: string; labels: readonly string[]; environment: string },
  category?: string,
): boolean {
  if (accounts === 'all') return true;
  return accounts.some(
    ({ ids, labels, environments, categories }) =>
      (category === undefined || !categories || categories.includes(category)) &&
      (ids.includes('*') || ids.includes(account.id)) &&
      (!labels || labels.some((label) => account.labels.includes(label))) &&
      (!environments || environments.includes(account.environment)),
  );
}

/** True when everything the inner permission permits is permitted by one of the outer ones: no token is wider than its maker. */
export function isWithin(inner: CallerPermission, outer: readonly CallerPermission[]): boolean {
  return outer.some(
    (one) =>
      includesSet(one.permissionSet, inner.permissionSet) &&
      limitWithin(inner.accounts, one.accounts) &&
      (!one.categories ||
        one.categories.includes('*') ||
        (inner.categories ?? ['*']).every((category) => one.categories?.includes(category))),
  );
}

function includesSet(outer: PermissionSetName, inner: PermissionSetName): boolean {
  if (outer === inner || outer === 'administrator') return true;
  if (inner.startsWith('mcp-')) return false; // their grants are given elsewhere
  return Object.entries(permissionSets[inner].grants).every(([key, actions]) =>
    actions.every((action) =>
      key === 'all'
        ? permissionSets[outer].grants['all']?.some((all) => all === '*' || all === action) === true
        : permits(outer, key, action),
    ),
  );
}

function limitWithin(inner: AccountLimit | undefined, outer: AccountLimit | undefined): boolean {
  if (!isLimit(outer)) return true;
  if (!isLimit(inner)) return false;
  const inside = (part?: readonly string[], whole?: readonly string[]) =>
    !whole || (part !== undefined && part.every((one) => whole.includes(one)));
  return (
    (outer.ids.includes('*') || inside(inner.ids, outer.ids)) &&
    inside(inner.labels, outer.labels) &&
    inside(inner.environments, outer.environments)
  );
}
