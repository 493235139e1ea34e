import type { ManagementSchemas } from './schemas.js';
import type { Operation } from './operations.js';

type PermissionSetName = ManagementSchemas['Permissions'];

/** The accounts that a permission covers. An account must match every list that is present. */
export interface AccountLimit {
  /** Account ids; `*` means all. */
  ids: readonly string[];
  /** The account must have one of these labels. */
  labels?: readonly string[];
  environments?: readonly string[];
  /** Only integrations of these domains in the accounts. */
  categories?: readonly string[];
}

/** One role binding of a token: the permission set and where it applies. */
export interface CallerPermission {
  permissionSet: PermissionSetName;
  /** Absent means all accounts. */
  accounts?: AccountLimit;
  /** Domains of integrations; absent or `*` means all. */
  categories?: readonly string[];
}

/** Limits of the token of a Connect session, beside its account. */
export interface ConnectScope {
  integrationPointId: string;
  /** The domain of the integration point. */
  connector: string;
  /** Provider ids; `*` means all of the domain. */
  providers: readonly string[];
  /** The person at the customer, as the host knows them, for the audit trail. */
  endUserId?: string;
  /** The token is that of a link, which is exchanged for a session before anything else. */
  link?: true;
  /** The integration to reconnect; absent for a session that creates one. */
  integrationId?: string;
  /** The session may delete its integration too. */
  manages?: true;
}

/** A Connect session in the audit trail, with the person at the customer. */
export interface ConnectSessionData {
  session_id: string;
  end_user_id?: string;
}

/** Names the Connect session of a caller for the audit trail. */
export function connectSessionData(by: {
  tokenId: string;
  connect: Pick<ConnectScope, 'endUserId'>;
}): ConnectSessionData {
  const { endUserId } = by.connect;
  return { session_id: by.tokenId, ...(endUserId === undefined ? {} : { end_user_id: endUserId }) };
}

/** True if a Connect session offers the provider. */
export function offersProvider({ connector, providers }: ConnectScope, type: string): boolean {
  return type.startsWith(`${connector}_`) && (providers.includes('*') || providers.includes(type));
}

/** The caller of an operation, as its token identifies it. */
export interface Caller {
  tokenId: string;
  /** Tokens of scope `mcp` are for the MCP endpoint, which calls operations for them as {@link atMcpEndpoint} says; the API refuses them. */
  scope: 'organization' | 'integration' | 'mcp';
  organizationId: string;
  memberId: string;
  /** Only integration tokens have the next three fields. */
  accountId?: string;
  integrationId?: string;
  category?: string;
  /** The purpose of a token of scope `mcp`. */
  mcp?: ManagementSchemas['McpTokenScope'];
  permissions: readonly CallerPermission[];
  /** The request was made with the refresh secret, which may only be used to renew the token. */
  refreshOnly?: true;
  /** The hash of the refresh secret, which distinguishes the retry of a refresh from another refresh. */
  refreshHash?: string;
  /** The token is in the address of a webhook, which others see: it takes in messages and does nothing else. */
  hookOnly?: true;
  /** Set for the token of a Connect session. */
  connect?: ConnectScope;
  /** Set for members who logged on. They may end the session and change their password; with `password` they may do nothing else before. */
  session?: 'open' | 'password';
}

/** Token id of a job of an integration, which has no token. */
export function jobTokenId(integrationId: string): string {
  return `job:${integrationId}`;
}

/** True for calls that a job makes. */
export function isJob({ tokenId }: { tokenId?: string }): boolean {
  return tokenId?.startsWith('job:') === true;
}

type Grants = Record<string, readonly string[]>;

const integrationsAtMcp: Grants = {
  accounts: ['get'],
  integrations: ['list_account', 'get'],
  status: ['get', 'list_events'],
};
const everything: Grants = { all: ['*'] };
const reading: Grants = { all: ['read'] };
const readActions = new Set(
  'list get lookup status list_account list_all list_events timeseries integration_timeseries list_history list_deliveries'.split(
    ' ',
  ),
);

/** The keys and actions of the contract's `x-permission` that each permission set allows. */
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
      connect: ['*'],
      integration_points: ['list', 'get'],
      mappings: ['list', 'get', 'apply'],
      requests: ['list', 'get'],
      status: ['*'],
      tokens: ['*'],
    },
  },
  'connect-ui': {
    description: 'Connecting the integrations of an account, in a browser',
    grants: {
      accounts: ['get'],
      integrations: ['list_account', 'get', 'create', 'update', 'patch', 'delete', 'verify'],
      // Without update, which would allow sending stored secrets to another address.
      credentials: ['list', 'get', 'create', 'patch'],
      integration_points: ['get'],
    },
  },
  'token-issuer': {
    description: 'Creating tokens, nothing else',
    grants: { tokens: ['create', 'create_integration', 'refresh'] },
  },
  'integration-dry-run': {
    description: 'Using an integration, its dangerous operations as dry runs only',
    grants: {}, // tokens of integrations may do nothing else
  },
  'mcp-integrations-use-only': {
    description: 'Using integrations at the MCP endpoint',
    grants: integrationsAtMcp,
  },
  'mcp-integrations-dry-run': {
    description:
      'Using integrations at the MCP endpoint, their dangerous operations as dry runs only',
    grants: integrationsAtMcp,
  },
  'mcp-management': {
    description: 'Managing accounts and integrations at the MCP endpoint',
    // Nothing that takes or returns a secret but Connect sessions, in which people type it instead of a model.
    grants: {
      organizations: ['get'],
      accounts: ['*'],
      integrations: ['*'],
      credentials: ['list', 'lookup', 'get'],
      bridges: ['list', 'get', 'status'],
      connect: ['*'],
      integration_points: ['list', 'get'],
      mappings: ['list', 'get', 'apply'],
      customs: ['list', 'get'],
      operations: ['list', 'list_history'],
      status: ['*'],
    },
  },
};

/** True if the caller may only try dangerous operations of integrations. */
export function triesDangersOnly({ permissions }: Pick<Caller, 'permissions'>): boolean {
  return permissions.some(({ permissionSet }) => dryRunSets.has(permissionSet));
}

const dryRunSets = new Set<PermissionSetName>(['integration-dry-run', 'mcp-integrations-dry-run']);

/** True when the permission set allows the action on the key. */
export function permits(set: PermissionSetName, key: string, action: string): boolean {
  const { grants } = permissionSets[set];
  const all = grants['all'] ?? [];
  if (all.includes('*') || (all.includes('read') && readActions.has(action))) return true;
  const actions = grants[key] ?? [];
  return actions.includes('*') || actions.includes(action);
}

/** The accounts on which a caller may use an operation: none, all, or those that match one of the limits. */
export type Decision =
  { allowed: false } | { allowed: true; accounts: 'all' | readonly AccountLimit[] };

const refused: Decision = { allowed: false };
const unlimited: Decision = { allowed: true, accounts: 'all' };

/** Operations that a refresh secret allows. */
const renewals = new Set(['tokens_refresh', 'tokens_reset']);
const ownSession = new Set(['auth_logoff', 'auth_change_password']);

/** Operations of a page in a Connect session, by whether the session creates an integration, reconnects one, or may delete it too. */
const connectOperations = [
  'connect_get_session',
  'connect_begin_authorization',
  'connect_get_authorization',
  'capabilities_get_provider',
  'capabilities_list_providers',
  'meta_management_openapi_spec', // which the schemas of configurations refer to
];
const sessionCreates = new Set([
  ...connectOperations,
  'integrations_create',
  'integrations_verify',
]);
const sessionReconnects = new Set([
  ...connectOperations,
  'integrations_get',
  'integrations_patch',
  'integrations_verify_existing',
]);

const sessionManages = new Set([...sessionReconnects, 'integrations_delete']);

const linkOpens = new Set(['connect_open_link']);

function sessionOperations({ link, integrationId, manages }: ConnectScope): ReadonlySet<string> {
  if (link) return linkOpens;
  if (manages) return sessionManages;
  return integrationId ? sessionReconnects : sessionCreates;
}

/** Decides whether a caller may use an operation, and on which accounts. No other code decides this. */
export function decide(caller: Caller, operation: Operation): Decision {
  if (operation.public) return unlimited;
  if (caller.refreshOnly) return renewals.has(operation.id) ? unlimited : refused;
  if (caller.hookOnly && !operation.tokenInQuery) return refused;
  if (caller.connect) {
    if (!sessionOperations(caller.connect).has(operation.id)) return refused;
  }
  if (operation.anyToken && caller.scope !== 'mcp') return unlimited;
  if (caller.scope !== (operation.side === 'management' ? 'organization' : 'integration'))
    return refused;
  if (operation.side === 'connector') return unlimited; // the token is valid for its own integration only
  if (caller.session && ownSession.has(operation.id)) return unlimited;
  if (caller.session === 'password') return refused;
  return decideByPermissions(caller.permissions, operation.permission);
}

/** The integrations that a token uses at the MCP endpoint: those of one account, by all operations or by some. */
export interface McpUse {
  accountId: string;
  operations: ReadonlySet<string> | null;
}

/** Returns as whom a token of the MCP endpoint calls the management API there, within its permissions. */
export function atMcpEndpoint(caller: Caller): Caller {
  return { ...caller, scope: 'organization' };
}

/** Returns which integrations a token uses at the MCP endpoint; undefined if it manages them only. */
export function mcpUse({ mcp }: Caller): McpUse | undefined {
  if (mcp === undefined || mcp.type === 'management') return undefined;
  const only = mcp.type === 'integration-usage' ? mcp.restrict_to_connector_operations : null;
  return { accountId: mcp.account_id, operations: only ? new Set<string>(only) : null };
}

/** Tells whether a permission allows an operation at all, on whatever accounts; nobody needs one for operations without `permission`. */
export function allows(one: CallerPermission, { permission }: Operation): boolean {
  return permission !== null && decideByPermissions([one], permission).allowed;
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

/** Records that belong to accounts: callers limited to some accounts can access those of these accounts. */
const accountKeys = new Set(
  'accounts integrations credentials bridges connect status tokens auth audit operations requests'.split(
    ' ',
  ),
);
/** Records of the organization that reveal nothing about its accounts: limited callers may read them and test mappings. */
const sharedKeys = new Set(
  'organizations integration_points mappings customs permission_set'.split(' '),
);

function isForLimited(
  { key, action }: { key: string; action: string },
  { accounts }: CallerPermission,
): boolean {
  if (accountKeys.has(key)) return true;
  // Callers limited to domains can access records of the organization, except billing, which sums up all integrations.
  if (!isLimit(accounts)) return key !== 'billing';
  return sharedKeys.has(key) && (readActions.has(action) || action === 'apply');
}

/** Returns the limit of a permission; undefined if it covers all accounts and integrations. */
function limitOf({ accounts, categories }: CallerPermission): AccountLimit | undefined {
  const limited = categories !== undefined && !categories.includes('*');
  if (!limited) return isLimit(accounts) ? accounts : undefined;
  return { ...(accounts ?? { ids: ['*'] }), categories };
}

/** True for a permission that is not limited to accounts or domains. */
export function isUnlimited(permission: CallerPermission): boolean {
  return limitOf(permission) === undefined;
}

function isLimit(limit: AccountLimit | undefined): limit is AccountLimit {
  return limit !== undefined && !(limit.ids.includes('*') && !limit.labels && !limit.environments);
}

/** True when an account matches one of the limits; with a domain, when its integrations of that domain do. */
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

/** True when one of the outer permissions covers the inner one, so that no token has more rights than its creator. */
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
  if (inner.startsWith('mcp-') || dryRunSets.has(inner)) return false; // they also use integrations, which no grant says
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
