import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** A pair of access and refresh secret as it is stored: hashes and expiries. */
export interface StoredPair {
  accessHash: string;
  accessExpires: string;
  refreshHash: string;
}

/** A pair issued for a refresh secret. A retry with the same secret gets it again for a short time. */
export interface TokenRenewal {
  /** The hash of the secret that it was issued for. */
  by: string;
  until: string;
  sealed: string;
}

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

  /** The record never expires later than this, however often it is reset; null if no token created it. */
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

  /** True for the token in the address of a webhook, which takes in messages and does nothing else. */
  @Column('boolean')
  hookOnly!: boolean;

  /** The permitted uses of the MCP endpoint; null for tokens of the API. */
  @Column('jsonb', { nullable: true })
  mcpScope!: Record<string, unknown> | null;

  /** The Connect session of the token; null for all other tokens. */
  @Column('jsonb', { nullable: true })
  connectSession!: Record<string, unknown> | null;

  /** The pair that a refresh issued, for retries of that refresh. */
  @Column('jsonb', { nullable: true })
  renewal!: TokenRenewal | null;

  /** To within two minutes. `onefold_note_uses` writes it, and nobody else. */
  @Column({ type: 'timestamptz', nullable: true, insert: false, update: false })
  lastUsedAt?: Date | null;

  /** How the member of a session authenticated; null for all other tokens. */
  @Column('text', { nullable: true })
  signedInBy!: 'password' | 'sso' | null;
}

export const tokens = defineKind({
  entity: Token,
  table: 'tokens',
  resource: 'token',
  prefix: 'tok',
  account: 'accountId',
  fields: {
    ...tenantFields,
    owner_id: { type: 'string' },
    owner_type: { type: 'string' },
    token_type: { type: 'string' },
    member_id: { type: 'string' },
    account_id: { type: 'string' },
    expires: { type: 'datetime' },
  },
});
