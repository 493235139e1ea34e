import type { Fields } from '#query';
import {
  Account,
  Credential,
  Integration,
  IntegrationPoint,
  Mapping,
  Member,
  SsoConfiguration,
  Token,
} from './entities.js';
import { Bridge } from './bridge.js';
import { AsyncOperation, OperationExecution } from './operation.js';
import { OrganizationWebhook } from './organization-webhook.js';
import type { RecordKind } from './records.js';
import { Custom } from './custom.js';
import { Role } from './role.js';
import { IntegrationEvent, IntegrationStatus } from './usage-entities.js';

const base: Fields = {
  id: { type: 'string' },
  name: { type: 'string' },
  fullname: { type: 'string' },
  created_at: { type: 'datetime' },
  updated_at: { type: 'datetime' },
};

/** The category of the integration that a record is about; none of one that is gone passes a limit. */
const categoryOfIntegration =
  "coalesce((select i.category from integrations i where i.id = r.integration_id), '')";

/** Where each kind of record lies, and what its lists filter and order by. */
export const kinds = {
  accounts: {
    entity: Account,
    resource: 'account',
    account: 'id',
    fields: {
      ...base,
      environment: { type: 'enum', values: ['test', 'prod'] },
      labels: { type: 'list', orders: false },
      organization_id: { type: 'string' },
    },
  } satisfies RecordKind<Account>,
  members: {
    entity: Member,
    resource: 'member',
    fields: {
      ...base,
      state: { type: 'enum', values: ['disabled', 'enabled', 'forgotten', 'invited', 'locked'] },
      type: { type: 'enum', values: ['personal', 'service'] },
      nickname: { type: 'string' },
      role_binding: { type: 'list', orders: false },
      last_logon: { type: 'datetime' },
      expires: { type: 'datetime' },
      pin_expires: { type: 'datetime' },
    },
  } satisfies RecordKind<Member>,
  credentials: {
    entity: Credential,
    resource: 'credential',
    account: 'accountId',
    category: '(select i.category from integrations i where i.id = r.owner_id)',
    fields: {
      ...base,
      owner_type: { type: 'string' },
      expires: { type: 'datetime' },
      account_id: { type: 'string' },
    },
  } satisfies RecordKind<Credential>,
  integrationPoints: {
    entity: IntegrationPoint,
    resource: 'integration_point',
    fields: { ...base, connector: { type: 'string' }, description: { type: 'string' } },
  } satisfies RecordKind<IntegrationPoint>,
  integrations: {
    entity: Integration,
    resource: 'integration',
    account: 'accountId',
    category: 'r.category',
    sharesNames: true,
    fields: {
      ...base,
      account_id: { type: 'string' },
      category: { type: 'string' },
      provider_type: { type: 'string' },
      provider_fullname: { type: 'string' },
      integration_point_id: { type: 'string' },
    },
  } satisfies RecordKind<Integration>,
  integrationEvents: {
    entity: IntegrationEvent,
    resource: 'integration',
    account: 'accountId',
    category: categoryOfIntegration,
    fields: {
      created_at: { type: 'datetime' },
      status: { type: 'string', orders: false },
      error: { type: 'string', orders: false },
      request: { type: 'number', orders: false },
    },
  } satisfies RecordKind<IntegrationEvent>,
  integrationStatuses: {
    entity: IntegrationStatus,
    resource: 'integration',
    account: 'accountId',
    category: categoryOfIntegration,
    fields: {
      account_id: { type: 'string' },
      integration_id: { type: 'string' },
      status: { type: 'string' },
      created_at: { type: 'datetime' },
      updated_at: { type: 'datetime' },
      requests: { type: 'number' },
      failed: { type: 'number' },
      cpu_time: { type: 'number' },
      db_ops: { type: 'number' },
      api_ops: { type: 'number' },
      in_bytes: { type: 'number' },
      out_bytes: { type: 'number' },
    },
  } satisfies RecordKind<IntegrationStatus>,
  mappings: {
    entity: Mapping,
    resource: 'mapping',
    fields: base,
  } satisfies RecordKind<Mapping>,
  tokens: {
    entity: Token,
    resource: 'token',
    account: 'accountId',
    fields: {
      ...base,
      owner_id: { type: 'string' },
      owner_type: { type: 'string' },
      token_type: { type: 'string' },
      member_id: { type: 'string' },
      account_id: { type: 'string' },
      expires: { type: 'datetime' },
    },
  } satisfies RecordKind<Token>,
  bridges: {
    entity: Bridge,
    resource: 'bridge',
    account: 'accountId',
    fields: {
      ...base,
      description: { type: 'string' },
      labels: { type: 'list', orders: false },
    },
  } satisfies RecordKind<Bridge>,
  organizationWebhooks: {
    entity: OrganizationWebhook,
    resource: 'organization_webhook',
    fields: {
      ...base,
      environment: { type: 'enum', values: ['test', 'prod'] },
      filters: { type: 'list', orders: false },
      url: { type: 'string' },
      credential_id: { type: 'string' },
    },
  } satisfies RecordKind<OrganizationWebhook>,
  operations: {
    entity: AsyncOperation,
    resource: 'operation',
    account: 'accountId',
    category: categoryOfIntegration,
    fields: {
      id: { type: 'string' },
      name: { type: 'string' },
      account_id: { type: 'string' },
      integration_id: { type: 'string' },
      operation: { type: 'string' },
      status: { type: 'string' },
      created_at: { type: 'datetime' },
      updated_at: { type: 'datetime' },
    },
  } satisfies RecordKind<AsyncOperation>,
  operationExecutions: {
    entity: OperationExecution,
    resource: 'operation',
    account: 'accountId',
    category: categoryOfIntegration,
    fields: {
      id: { type: 'string', orders: false },
      execution_id: { type: 'string', orders: false },
      operation_id: { type: 'string', orders: false },
      account_id: { type: 'string', orders: false },
      integration_id: { type: 'string', orders: false },
      started_at: { type: 'datetime' },
    },
  } satisfies RecordKind<OperationExecution>,
  ssoConfigurations: {
    entity: SsoConfiguration,
    resource: 'single sign-on configuration',
    fields: base,
  } satisfies RecordKind<SsoConfiguration>,
  customs: {
    entity: Custom,
    resource: 'custom provider',
    fields: { ...base, organization_id: { type: 'string' } },
  } satisfies RecordKind<Custom>,
  roles: {
    entity: Role,
    resource: 'role',
    fields: {
      ...base,
      description: { type: 'string' },
      permission_set: { type: 'string' },
    },
  } satisfies RecordKind<Role>,
};
