import {
  type Answer,
  asText,
  hexSignature,
  messageId,
  type PlainRequest,
  Refusal,
  sendWebhook,
} from '#test/simulators';
import type { Render } from './render.js';
import type { Comment, Issue, Site, User, Webhook } from './site.js';

type Json = Record<string, unknown>;

const path = /^\/rest\/webhooks\/1\.0\/webhook(?:\/(\d+))?$/;

/** Serves `/rest/webhooks/1.0/webhook`; undefined for other paths. */
export function serveWebhooks(
  site: Site,
  { method, url, bytes, headers }: PlainRequest,
  authenticate: (headers: Record<string, string>) => User,
): Answer | undefined {
  const { webhooks } = site;
  const [whole, id] = path.exec(url.pathname) ?? [];
  if (whole === undefined) return undefined;
  try {
    if (!authenticate(headers).writes)
      return {
        status: 403,
        body: { messages: [{ key: 'You are not permitted to use webhooks' }] },
      };
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
  if (id === undefined && method === 'POST') {
    const { name, url: to, events, secret, filters } = JSON.parse(bytes.toString()) as Json;
    if (typeof name !== 'string' || typeof to !== 'string' || !Array.isArray(events))
      return { status: 400, body: { messages: [{ key: 'name, url and events are required' }] } };
    const webhook: Webhook = {
      ...{ id: site.webhookIds++, name, url: to, events: events as string[] },
      filter: asText((filters as Json | undefined)?.['issue-related-events-section']),
      ...(typeof secret === 'string' ? { secret } : {}),
    };
    webhooks.push(webhook);
    return { status: 201, body: shown(webhook, url.origin) };
  }
  const found = webhooks.find((one) => String(one.id) === id);
  if (found === undefined) return { status: 404, body: { messages: [{ key: 'no such webhook' }] } };
  if (method === 'GET') return { status: 200, body: shown(found, url.origin) };
  if (method !== 'DELETE') return { status: 405 };
  webhooks.splice(webhooks.indexOf(found), 1);
  return { status: 204 };
}

function shown({ id, name, url, events, filter, secret }: Webhook, origin: string): Json {
  return {
    ...{ name, url, events, excludeBody: false, enabled: true, isSigned: secret !== undefined },
    filters: { 'issue-related-events-section': filter },
    self: `${origin}/rest/webhooks/1.0/webhook/${id}`,
  };
}

/** Sends an event of an issue to the webhooks that want it. */
export function notifyWebhooks(
  { webhooks }: Site,
  render: Render,
  event: { name: string; issue: Issue; user: User; comment?: Comment },
): void {
  const { name, issue, user, comment } = event;
  const { id, key } = issue.project;
  for (const webhook of webhooks) {
    if (!webhook.events.includes(name)) continue;
    const wanted = /project = "([^"]+)"/.exec(webhook.filter)?.[1];
    if (wanted !== undefined && wanted !== id && wanted !== key) continue;
    const { secret } = webhook;
    sendWebhook({
      url: webhook.url,
      headers: {
        'user-agent': 'Atlassian Webhook HTTP Client',
        'x-atlassian-webhook-identifier': messageId(),
      },
      body: {
        ...{ timestamp: Date.now(), webhookEvent: name, user: render.user(user) },
        issue: render.issue(issue, ['*all']),
        ...(comment === undefined ? {} : { comment: render.comment(issue, comment) }),
      },
      ...(secret && {
        sign: (bytes: Buffer) => ({ 'x-hub-signature': `sha256=${hexSignature(secret, bytes)}` }),
      }),
    });
  }
}
