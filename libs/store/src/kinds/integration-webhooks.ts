import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { categoryOfIntegration, tenantFields } from '../kind-parts.js';
import { ReceivingRecord } from '../receiving-record.js';
import { TenantRecord } from '../tenant-record.js';

/** A webhook at the provider of an integration, which sends its messages to us. */
export class IntegrationWebhook extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  /** The project whose changes the provider reports, as the caller named it. */
  @Column('text')
  project!: string;

  /** The id at the provider; null where the webhook is made by hand. */
  @Column('text', { nullable: true })
  providerId!: string | null;

  /** The token in its address. */
  @Column('text')
  tokenId!: string;

  /** Encrypted. */
  @Column('text')
  token!: string;

  /** The key that the provider signs with, encrypted. */
  @Column('text')
  secret!: string;

  @Column('text', { array: true })
  events!: string[];

  @Column('text')
  creator!: string;
}

/** An address of `webhook_config` of an integration. */
export class WebhookReceiver extends ReceivingRecord {
  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;
}

const ofIntegration = { account: 'accountId', category: categoryOfIntegration } as const;

export const integrationWebhooks = defineKind({
  entity: IntegrationWebhook,
  table: 'integration_webhooks',
  resource: 'webhook',
  prefix: 'iwh',
  ...ofIntegration,
  fields: { ...tenantFields, integration_id: { type: 'string' } },
});

export const webhookReceivers = defineKind({
  entity: WebhookReceiver,
  table: 'webhook_receivers',
  resource: 'webhook',
  prefix: 'whr',
  ...ofIntegration,
  fields: { ...tenantFields, integration_id: { type: 'string' } },
});
