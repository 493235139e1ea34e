import { ApiError, badRequest, type Call, notFound, StreamReply } from '#contract';
import { relayMessage } from '#deliver';
import { CursorRefused } from '#secrets';
import { wholeOrganization } from '#store';
import type { HookRequests } from './hook-requests.js';
import { webhookConfigOf } from './webhook-config.js';

const context = 'passthrough';
/** An address is entered at a provider by hand, so it is valid for long. */
export const passthroughMs = 365 * 24 * 60 * 60_000;

/** Headers of messages that receivers need: kind and id of the message, and its signature. */
const passedOn =
  /^(?:content-type|user-agent|(?:webhook|linear|ce)-[a-z0-9-]+|x-(?:hub|github|gitlab|pagerduty|atlassian|slack|okta|webhook)-[a-z0-9-]+)$/;

/** The receiver that the address of a passthrough names. */
interface Named {
  organizationId: string;
  integrationId: string;
  url: string;
}

/** Issues the address below `/v1/hooks/passthrough/` for a receiver of an integration. */
export function issuePassthrough({ cursors }: HookRequests, named: Named): string {
  return cursors.issue(context, named, passthroughMs);
}

/** Passes a message on to the receiver that its address names. @throws ApiError 400, 404 or 502 */
export async function passMessageOn(
  { path, headers = {}, rawBody }: Call<'hooks_passthrough'>,
  requests: HookRequests,
): Promise<StreamReply> {
  const { organizationId, integrationId, url } = readCursor(requests, path.webHookCursor);
  const config = await requests.store.read(wholeOrganization(organizationId), async (tx) =>
    webhookConfigOf(await tx.integrations.get(integrationId)),
  );
  if (!config.items?.some((item) => item.webhook_url === url)) throw notFound('webhook', url);
  const kept = Object.entries(headers).filter(([name]) => passedOn.test(name));
  const relayed = await relayMessage(
    { url, headers: Object.fromEntries(kept), body: rawBody },
    requests,
  );
  if ('error' in relayed) throw failed(relayed.error);
  const { status, contentType, body } = relayed;
  if (status < 200 || status > 299) throw failed(`the receiver answered ${status}`);
  const isJson = /^application\/(?:[a-z.-]+\+)?json\b/i.test(contentType) && body.length > 0;
  return new StreamReply(
    200,
    { 'content-type': 'application/json' },
    isJson ? body : Buffer.from('{}'),
  );
}

function readCursor({ cursors }: HookRequests, cursor: string): Named {
  try {
    return cursors.read(context, cursor) as Named;
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error;
    throw badRequest({
      location: 'path',
      pointer: 'webHookCursor',
      message: 'is not valid, or has expired',
      remediation: 'GET /v1/integration-webhooks lists the addresses.',
    });
  }
}

function failed(message: string): ApiError {
  return new ApiError(502, message, {
    remediation: 'Send the message again later, or correct webhook_config of the integration.',
  });
}
