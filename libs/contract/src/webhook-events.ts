import type { ConnectorSchemas } from './schemas.js';

export type WebhookEvent = ConnectorSchemas['WebhookEvent'];

// A record, so that the compiler finds a value of the contract that is missing here.
const known: Readonly<Record<WebhookEvent, true>> = {
  TicketCreated: true,
  TicketUpdated: true,
  TicketDeleted: true,
  TicketCommentCreated: true,
  TicketCommentDeleted: true,
};

/** The changes that webhooks of providers report, in our words. */
export const webhookEvents = Object.keys(known) as readonly WebhookEvent[];
