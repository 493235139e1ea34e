import { hexSignature, messageId, sendWebhook } from '#test/simulators';
import type { Comment, Issue, Team, User, Webhook } from './workspace.js';

type Json = Record<string, unknown>;

/** A change of an issue or a comment. */
export interface Change {
  type: 'Issue' | 'Comment';
  action: 'create' | 'update' | 'remove';
  team: Team;
  data: Json;
}

/** Sends a change to the webhooks that want it, in the form of the SDK's `EntityWebhookPayload`. */
export function notifyWebhooks(webhooks: readonly Webhook[], actor: User, change: Change): void {
  const { type, action, team, data } = change;
  for (const webhook of webhooks) {
    const isWanted = webhook.enabled && webhook.resourceTypes.includes(type);
    if (!isWanted || (webhook.team !== null && webhook.team !== team)) continue;
    const { id, name, email } = actor;
    sendWebhook({
      url: webhook.url,
      headers: {
        'user-agent': 'Linear-Webhook',
        'linear-event': type,
        'linear-delivery': messageId(),
      },
      body: {
        ...{ action, type, data, createdAt: new Date(), organizationId: 'organization' },
        actor: { ...{ id, name, email }, type: 'user' },
        ...{ webhookId: webhook.id, webhookTimestamp: Date.now() },
      },
      sign: (bytes) => ({ 'linear-signature': hexSignature(webhook.secret, bytes) }),
    });
  }
}

/** An issue as `IssueWebhookPayload`. */
export function issueData(issue: Issue): Json {
  const { id, identifier, title, description, priority, createdAt, updatedAt, team } = issue;
  return {
    ...{ id, identifier, title, description, priority, createdAt, updatedAt },
    teamId: team.id,
    team: { id: team.id, key: team.key, name: team.name },
    stateId: issue.state.id,
    labelIds: issue.labels.map((label) => label.id),
    creatorId: issue.creator.id,
  };
}

/** A comment as `CommentWebhookPayload`. */
export function commentData({ id, body, createdAt, updatedAt, issue, user }: Comment): Json {
  const { id: issueId, identifier, title } = issue;
  return {
    ...{ id, body, createdAt, updatedAt, issueId, userId: user.id },
    issue: { id: issueId, identifier, title },
  };
}
