import { ApiError, type ConnectorSchemas, webhookEvents } from '#contract';
import type { IntegrationWebhooks, WebhookMessage } from '#connect';

export type TicketingMessage = ConnectorSchemas['TicketingWebhookResponse'];

// A record, so that the compiler finds a value of the contract that is missing here.
const priorities: Readonly<Record<ConnectorSchemas['Priority'], true>> = {
  URGENT: true,
  CRITICAL: true,
  HIGH: true,
  MEDIUM: true,
  MODERATE: true,
  LOW: true,
  PLANNING: true,
};

/** The fields that a mapping fills, with what each may be. */
const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
  event_type: (value) => (webhookEvents as readonly unknown[]).includes(value),
  ticket_id: isText,
  entity_date: isText,
  priority: (value) => isText(value) && Object.hasOwn(priorities, value),
  short_description: isText,
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A message in our shape; `isUnclear` if its mapping failed, so that every receiver has to get it. */
export interface MappedMessage {
  message: TicketingMessage;
  isUnclear: boolean;
}

/**
 * Maps a message of a provider to our shape, with its body as `raw_payload`. A mapping that fails loses nothing: the message then has the
 * problem instead of the fields. @returns undefined for a message that is not to be delivered
 */
export function mapTicketingMessage(
  { provider }: IntegrationWebhooks,
  given: WebhookMessage,
  at: Date,
): MappedMessage | undefined {
  const raw_payload = Buffer.from(given.bytes).toString();
  try {
    const record = provider.map(given);
    if (record === undefined) return undefined;
    return { message: { ...checkedFields(record), raw_payload }, isUnclear: false };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problem = error.toProblem('webhook-not-mapped', at) as never;
    return { message: { messages: { problems: [problem] }, raw_payload }, isUnclear: true };
  }
}

/** Returns the fields of the contract. @throws ApiError 502 for one that the contract does not allow */
function checkedFields(record: Record<string, unknown>): Partial<TicketingMessage> {
  const mapped = Object.entries(fields).flatMap(([name, isAllowed]) => {
    const value = record[name];
    if (value === undefined || value === null) return [];
    if (isAllowed(value)) return [[name, value] as const];
    throw new ApiError(502, `the mapping of webhook messages makes a ${name} that is not allowed`, {
      remediation: 'The contract has the allowed values: TicketingWebhookResponse.',
    });
  });
  return Object.fromEntries(mapped);
}
