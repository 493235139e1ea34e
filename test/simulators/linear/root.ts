import { connection, type PageArguments } from './connection.js';
import { failure, notFound } from './errors.js';
import { Render } from './render.js';
import { type Change, commentData, issueData, notifyWebhooks } from './webhooks.js';
import type { Issue, User, Webhook, Workspace } from './workspace.js';

type Input = Record<string, unknown>;
type ById = { id: string };

/** Fields of Query and Mutation for one request. */
export function rootOf(workspace: Workspace, origin: string, viewer: User): object {
  const render = new Render(workspace, origin, viewer);
  return { ...queries(workspace, render, viewer), ...mutations(workspace, render, origin, viewer) };
}

function queries(workspace: Workspace, render: Render, viewer: User) {
  return {
    viewer: () => render.user(viewer),
    issues: (args: PageArguments) => connection(workspace.issues, args, render.issue),
    teams: (args: PageArguments) => connection(workspace.teams, args, render.team),
    workflowStates: (args: PageArguments) => connection(workspace.states, args, render.state),
    issueLabels: (args: PageArguments) => connection(workspace.labels, args, render.label),
    users: (args: PageArguments) => connection(workspace.users, args, render.user),
    issue: ({ id }: ById) => render.issue(issueOf(workspace, id)),
    team: ({ id }: ById) =>
      render.team(found('Team', workspace.teams, (team) => team.id === id || team.key === id)),
    user: ({ id }: ById) => render.user(found('User', workspace.users, (user) => user.id === id)),
    comment: ({ id }: ById) =>
      render.comment(found('Comment', workspace.comments, (each) => each.id === id)),
    webhook: ({ id }: ById) =>
      render.webhook(found('Webhook', workspace.webhooks, (each) => each.id === id)),
    attachment: ({ id }: ById) =>
      render.attachment(found('Attachment', workspace.attachments, (each) => each.id === id)),
  };
}

function mutations(workspace: Workspace, render: Render, origin: string, viewer: User) {
  const done = { success: true, lastSyncId: 1 };
  const tell = (change: Change) => notifyWebhooks(workspace.webhooks, viewer, change);
  const fields = {
    issueCreate: ({ input }: { input: Input }) => {
      const team = found('Team', workspace.teams, ({ id }) => id === input['teamId']);
      checkTitle(input['title'] ?? '');
      const issue = workspace.draft(team, '', viewer);
      write(workspace, issue, input);
      issue.updatedAt = issue.createdAt;
      workspace.add(issue);
      tell({ type: 'Issue', action: 'create', team, data: issueData(issue) });
      return { ...done, issue: render.issue(issue) };
    },
    issueUpdate: ({ id, input }: { id: string; input: Input }) => {
      const issue = issueOf(workspace, id);
      const draft = { ...issue };
      write(workspace, draft, input);
      Object.assign(issue, draft);
      tell({ type: 'Issue', action: 'update', team: issue.team, data: issueData(issue) });
      return { ...done, issue: render.issue(issue) };
    },
    issueLabelCreate: ({ input }: { input: Input }) => {
      const team = input['teamId']
        ? found('Team', workspace.teams, ({ id }) => id === input['teamId'])
        : null;
      const name = String(input['name']);
      if (workspace.labels.some((label) => label.name === name && label.team === team))
        throw failure('INPUT_ERROR', 'duplicate label name');
      const label = workspace.label(name, team);
      workspace.labels.push(label);
      return { ...done, issueLabel: render.label(label) };
    },
    commentCreate: ({ input }: { input: Input }) => {
      const issue = issueOf(workspace, String(input['issueId']));
      const createdAt = new Date();
      const comment = {
        id: workspace.nextId(),
        body: bodyOf(input),
        user: viewer,
        issue,
        createdAt,
        updatedAt: createdAt,
      };
      workspace.comments.push(comment);
      issue.updatedAt = createdAt;
      tell({ type: 'Comment', action: 'create', team: issue.team, data: commentData(comment) });
      return { ...done, comment: render.comment(comment) };
    },
    commentUpdate: ({ id, input }: { id: string; input: Input }) => {
      const comment = found('Comment', workspace.comments, (each) => each.id === id);
      Object.assign(comment, { body: bodyOf(input), updatedAt: new Date() });
      return { ...done, comment: render.comment(comment) };
    },
    webhookCreate: ({ input }: { input: Input }) => {
      const webhook: Webhook = {
        id: workspace.nextId(),
        url: String(input['url']),
        secret: (input['secret'] as string | undefined) ?? `lin_wh_${workspace.nextId()}`,
        label: (input['label'] as string | undefined) ?? null,
        enabled: input['enabled'] !== false,
        resourceTypes: input['resourceTypes'] as string[],
        team: input['teamId']
          ? found('Team', workspace.teams, ({ id }) => id === input['teamId'])
          : null,
        creator: viewer,
        createdAt: new Date(),
      };
      workspace.webhooks.push(webhook);
      return { ...done, webhook: render.webhook(webhook) };
    },
    webhookDelete: ({ id }: ById) => {
      remove('Webhook', workspace.webhooks, id);
      return { ...done, entityId: id };
    },
    commentDelete: ({ id }: ById) => {
      const comment = found('Comment', workspace.comments, (each) => each.id === id);
      const { team } = comment.issue;
      tell({ type: 'Comment', action: 'remove', team, data: commentData(comment) });
      remove('Comment', workspace.comments, id);
      return { ...done, entityId: id };
    },
    attachmentCreate: ({ input }: { input: Input }) => {
      const issue = issueOf(workspace, String(input['issueId']));
      const url = String(input['url']);
      if (!URL.canParse(url)) throw failure('INPUT_ERROR', 'url must be a URL address');
      // The address identifies an attachment: creating it again changes it.
      const same = workspace.attachments.find((each) => each.issue === issue && each.url === url);
      const attachment = {
        id: same?.id ?? workspace.nextId(),
        title: String(input['title']),
        url,
        subtitle: (input['subtitle'] as string | undefined) ?? null,
        metadata: (input['metadata'] as Record<string, unknown> | undefined) ?? {},
        creator: viewer,
        issue,
        createdAt: same?.createdAt ?? new Date(),
      };
      if (same === undefined) workspace.attachments.push(attachment);
      else Object.assign(same, attachment);
      return { ...done, attachment: render.attachment(attachment) };
    },
    attachmentDelete: ({ id }: ById) => {
      remove('Attachment', workspace.attachments, id);
      return { ...done, entityId: id };
    },
    fileUpload: (file: { contentType: string; filename: string; size: number }) => {
      const id = workspace.nextId();
      workspace.files.set(id, { type: file.contentType, size: file.size, content: null });
      const uploadFile = {
        ...file,
        uploadUrl: `${origin}/storage/upload/${id}?signature=simulated`,
        assetUrl: `${origin}/storage/asset/${id}/${encodeURIComponent(file.filename)}`,
        headers: [{ key: 'x-goog-content-length-range', value: `${file.size},${file.size}` }],
        metaData: null,
      };
      return { ...done, uploadFile };
    },
  };
  if (viewer.writes) return fields;
  const forbidden = () => {
    throw failure('FORBIDDEN', 'Invalid scope: `write` required');
  };
  return Object.fromEntries(Object.keys(fields).map((name) => [name, forbidden]));
}

/** Sets the fields of an input; unknown ones are ignored, as are fields of the schema that are not simulated. */
function write(workspace: Workspace, issue: Issue, input: Input): void {
  if (input['title'] !== undefined) issue.title = checkTitle(input['title']);
  if (input['description'] !== undefined)
    issue.description = (input['description'] as string | null) || null;
  if (input['priority'] !== undefined) issue.priority = checkPriority(input['priority']);
  if (input['dueDate'] !== undefined) issue.dueDate = checkDate(input['dueDate']);
  if (input['estimate'] !== undefined) issue.estimate = input['estimate'] as number | null;
  if (input['assigneeId'] !== undefined)
    issue.assignee =
      input['assigneeId'] === null
        ? null
        : found('User', workspace.users, ({ id }) => id === input['assigneeId']);
  if (input['parentId'] !== undefined)
    issue.parent =
      input['parentId'] === null ? null : issueOf(workspace, input['parentId'] as string);
  if (input['labelIds'] !== undefined)
    issue.labels = [...new Set((input['labelIds'] ?? []) as string[])].map((wanted) =>
      found('IssueLabel', workspace.labels, ({ id }) => id === wanted),
    );
  if (typeof input['stateId'] === 'string') {
    const state = found('WorkflowState', workspace.states, ({ id }) => id === input['stateId']);
    if (state.team !== issue.team)
      throw failure('INPUT_ERROR', 'Discrepancy between issue team and state team');
    workspace.move(issue, state);
  }
  issue.updatedAt = new Date();
}

function checkTitle(title: unknown): string {
  if (typeof title !== 'string' || title.trim() === '' || title.length > 512)
    throw failure('INPUT_ERROR', 'Argument Validation Error: title must have 1 to 512 characters');
  return title;
}

function checkPriority(priority: unknown): number {
  if (typeof priority !== 'number' || priority < 0 || priority > 4)
    throw failure('INPUT_ERROR', 'Argument Validation Error: priority must be from 0 to 4');
  return priority;
}

function checkDate(date: unknown): string | null {
  if (date !== null && (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)))
    throw failure('INPUT_ERROR', 'Argument Validation Error: dueDate must be a date');
  return date;
}

function bodyOf(input: Input): string {
  const body = input['body'];
  if (typeof body !== 'string' || body.trim() === '')
    throw failure('INPUT_ERROR', 'Argument Validation Error: body must not be empty');
  return body;
}

function issueOf(workspace: Workspace, id: string): Issue {
  const issue = workspace.issue(id);
  if (issue === undefined) throw notFound('Issue');
  return issue;
}

function found<T>(entity: string, rows: readonly T[], test: (row: T) => boolean): T {
  const row = rows.find(test);
  if (row === undefined) throw notFound(entity);
  return row;
}

function remove(entity: string, rows: { id: string }[], id: string): void {
  rows.splice(rows.indexOf(found(entity, rows, (row) => row.id === id)), 1);
}
