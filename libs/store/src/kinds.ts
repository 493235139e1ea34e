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
import { OrganizationWebhook } from './organization-webhook.js';
import type { RecordKind } from './records.js';

const base: Fields = {
  id: { type: 'string' },
  name: { type: 'string' },
  fullname: { type: 'string' },
  created_at: { type: 'datetime' },
  updated_at: { type: 'datetime' },
};

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
    fields: { ...base, state: { type: 'string' }, type: { type: 'string' } },
  } satisfies RecordKind<Member>,
  credentials: {
    entity: Credential,
    resource: 'credential',
    account: 'accountId',
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
    fields: {
      ...base,
      account_id: { type: 'string' },
      category: { type: 'string' },
      provider_type: { type: 'string' },
      provider_fullname: { type: 'string' },
      integration_point_id: { type: 'string' },
    },
  } satisfies RecordKind<Integration>,
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
  ssoConfigurations: {
    entity: SsoConfiguration,
    resource: 'single sign-on configuration',
    fields: base,
  } satisfies RecordKind<SsoConfiguration>,
};
