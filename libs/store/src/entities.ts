import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IntegrationEvent, IntegrationStatus } from './usage-entities.js';
import { Bridge } from './bridge.js';
import { AsyncOperation, OperationExecution } from './operation.js';
import { OrganizationWebhook } from './organization-webhook.js';
import { Custom } from './custom.js';
import { Role } from './role.js';
import { TenantRecord } from './tenant-record.js';

@Entity('organizations')
export class Organization {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  fullname!: string;

  /** The organization it is a sub organization of. */
  @Column('text', { nullable: true })
  parentId!: string | null;

  @Column('text')
  organizationType!: 'root' | 'standard';

  @Column('text')
  refreshTokenId!: string;

  @Column('text', { nullable: true })
  contact!: string | null;

  @Column('text', { nullable: true })
  replyTo!: string | null;

  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('jsonb', { nullable: true })
  options!: Record<string, unknown> | null;

  /** Null is enabled. */
  @Column('text', { nullable: true })
  state!: 'disabled' | 'pov' | 'plg' | null;

  @Column('date', { nullable: true })
  endDate!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

@Entity('members')
export class Member extends TenantRecord {
  @Column('text')
  type!: 'personal' | 'service';

  @Column('text')
  state!: string;

  @Column('text', { array: true })
  roleBinding!: string[];

  @Column('text', { nullable: true })
  nickname!: string | null;

  @Column('text', { nullable: true })
  picture!: string | null;

  /** As it was given: `87600h`. */
  @Column('text')
  ttl!: string;

  /** Of the sessions. */
  @Column('text')
  tokenTtl!: string;

  /** From then on the member is nobody. */
  @Column('timestamptz')
  expires!: Date;

  /** From then on the password only opens a session to change it, or nothing while it is an invitation. */
  @Column('timestamptz')
  pinExpires!: Date;

  /** 1970 until the first logon. */
  @Column('timestamptz')
  lastLogon!: Date;

  /** When a lock after failed logons ends; null for one that an administrator set. */
  @Column('timestamptz', { nullable: true })
  lockedUntil!: Date | null;

  /** The state such a lock interrupted. */
  @Column('text', { nullable: true })
  stateBeforeLock!: string | null;
}

@Entity('accounts')
export class Account extends TenantRecord {
  @Column('text')
  environment!: 'test' | 'prod';

  @Column('text', { array: true })
  labels!: string[];
}

/** Sealed at rest; `configType` is all that answers show. */
@Entity('credentials')
export class Credential extends TenantRecord {
  @Column('text')
  ownerType!: 'account' | 'integration' | 'integration_point' | 'organization_webhook';

  @Column('text')
  ownerId!: string;

  /** The account the owner lies in; null for integration points and organization webhooks. */
  @Column('text', { nullable: true })
  accountId!: string | null;

  @Column('text')
  configType!: string;

  @Column('text')
  sealed!: string;

  @Column('timestamptz', { nullable: true })
  expires!: Date | null;

  /** Made by Onefold out of an inline secret. */
  @Column('boolean')
  managed!: boolean;
}

@Entity('integration_points')
export class IntegrationPoint extends TenantRecord {
  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  connector!: string;

  @Column('jsonb')
  environments!: { test?: string[] | null; prod?: string[] | null };

  @Column('jsonb', { nullable: true })
  mappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  additionalMappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  scheduledOperations!: unknown[] | null;
}

@Entity('integrations')
export class Integration extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text')
  category!: string;

  @Column('text')
  providerType!: string;

  @Column('text')
  providerFullname!: string;

  @Column('jsonb')
  providerConfig!: Record<string, unknown>;

  @Column('text', { nullable: true })
  integrationPointId!: string | null;

  @Column('text')
  refreshTokenId!: string;

  @Column('jsonb', { nullable: true })
  bridgeSelector!: unknown;

  @Column('jsonb', { nullable: true })
  webhookConfig!: unknown;

  @Column('jsonb', { nullable: true })
  mappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  additionalMappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  scheduledOperations!: unknown[] | null;
}

@Entity('mappings')
export class Mapping extends TenantRecord {
  /** The YAML document. */
  @Column('text')
  data!: string;

  /** Raised by every change of the document. */
  @Column('integer')
  version!: number;
}

/** A pair of access and refresh secret as it is stored: hashes and expiries. */
export interface StoredPair {
  accessHash: string;
  accessExpires: string;
  refreshHash: string;
}

/** A pair given out for a refresh secret, which the same secret gets again for a moment: clients retry. */
export interface TokenRenewal {
  /** The hash of the secret that got it. */
  by: string;
  until: string;
  sealed: string;
}

@Entity('tokens')
export class Token extends TenantRecord {
  @Column('text')
  ownerId!: string;

  @Column('text')
  ownerType!: 'organization' | 'integration';

  @Column('text', { nullable: true })
  memberId!: string | null;

  /** The account of the integration; null for tokens of the organization. */
  @Column('text', { nullable: true })
  accountId!: string | null;

  @Column('text')
  tokenType!: 'adhoc' | 'logon' | 'default';

  /** As it was given: `24h`. */
  @Column('text')
  tokenTtl!: string;

  @Column('timestamptz')
  expires!: Date;

  /** The record never expires later than this, however often it is reset; null where no token made it. */
  @Column('timestamptz', { nullable: true })
  endsBy!: Date | null;

  /** Resources and permission set; null for tokens that have those of their member's roles. */
  @Column('jsonb', { nullable: true })
  adhocRole!: { resources: Record<string, unknown>; permission_set: string } | null;

  @Column('text', { array: true })
  roleBinding!: string[];

  @Column('jsonb')
  primaryPair!: StoredPair;

  @Column('jsonb', { nullable: true })
  secondaryPair!: StoredPair | null;

  /** Access secrets without a refresh secret: those of create_integration_token. */
  @Column('boolean')
  accessOnly!: boolean;

  /** What the MCP endpoint may be used for with it; null for tokens of the API. */
  @Column('jsonb', { nullable: true })
  mcpScope!: Record<string, unknown> | null;

  /** The pair that a refresh gave out, for the retries of that refresh. */
  @Column('jsonb', { nullable: true })
  renewal!: TokenRenewal | null;

  /** How the member of a session showed who he is; null for all other tokens. */
  @Column('text', { nullable: true })
  signedInBy!: 'password' | 'sso' | null;
}

/** An identity provider whose members sign on by it. What is secret lies in `sealed`. */
@Entity('sso_configurations')
export class SsoConfiguration extends TenantRecord {
  @Column('text')
  protocol!: 'oidc' | 'saml';

  @Column('jsonb')
  settings!: Record<string, unknown>;

  @Column('text', { nullable: true })
  sealed!: string | null;
}

export const entities = [
  Organization,
  Member,
  Account,
  Credential,
  IntegrationPoint,
  Integration,
  IntegrationEvent,
  IntegrationStatus,
  Mapping,
  Token,
  Bridge,
  OrganizationWebhook,
  AsyncOperation,
  OperationExecution,
  SsoConfiguration,
  Custom,
  Role,
];
