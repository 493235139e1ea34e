import { createHash } from 'node:crypto';
import { type Answer, asText, type Exchange } from '#test/simulators';
import { createFields, listFields } from './field-list.js';
import { createIssue, newComment, write } from './fields.js';
import { Search } from './jql.js';
import { names, page, paging, window, windowOf } from './paging.js';
import { noIssue, refuse } from './refusals.js';
import { Render } from './render.js';
import { search } from './search.js';
import { notifyWebhooks } from './webhooks.js';
import type { Comment, Issue, Site, User } from './site.js';

type Call = Exchange<User>;
type Json = Record<string, unknown>;
type Route = (call: Call) => Answer;

const api = '/rest/api/3';
const issuePath = `${api}/issue/{issueIdOrKey}`;

/** Files of the media host, by the token in their address. */
export type Downloads = Map<string, { type: string; name: string; content: Buffer }>;

export function routes(site: Site, downloads: Downloads): Record<string, Route> {
  const render = ({ origin }: Call) => new Render(site, origin);
  const issueOf = ({ params }: Call) => {
    const issue = site.issue(params['issueIdOrKey'] ?? '');
    if (issue === undefined) throw noIssue();
    return issue;
  };
  const tell = (call: Call, name: string, issue: Issue, comment?: Comment) =>
    notifyWebhooks(site, render(call), {
      ...{ name, issue, user: call.user },
      ...(comment && { comment }),
    });
  const list =
    (items: (call: Call) => unknown[]): Route =>
    (call) => ({ status: 200, body: items(call) });

  return {
    [`GET ${api}/myself`]: (call) => ok(render(call).user(call.user)),
    [`GET ${api}/field`]: list(() => listFields(site)),
    [`GET ${api}/issuetype`]: list((call) =>
      site.issueTypes.map((each) => render(call).issueType(each)),
    ),
    [`GET ${api}/priority`]: list((call) =>
      site.priorities.map((each) => render(call).priority(each)),
    ),
    [`GET ${api}/priority/search`]: (call) =>
      ok(
        page(
          call,
          site.priorities.map((each) => render(call).priority(each)),
        ),
      ),
    [`GET ${api}/status`]: list((call) => site.statuses.map((each) => render(call).status(each))),
    [`GET ${api}/user/search`]: list((call) =>
      searchUsers(site, call).map((each) => render(call).user(each)),
    ),
    [`GET ${api}/project/search`]: (call) =>
      ok(
        page(
          call,
          projects(site, call).map((each) => render(call).project(each)),
        ),
      ),
    [`GET ${api}/issue/createmeta/{projectIdOrKey}/issuetypes`]: (call) => {
      projectOf(site, call);
      const { values, ...rest } = page(
        call,
        site.issueTypes.map((each) => render(call).issueType(each)),
      );
      return ok({ issueTypes: values, ...paging(rest) });
    },
    [`GET ${api}/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}`]: (call) => {
      const { key } = projectOf(site, call);
      const type = site.issueTypes.find(({ id }) => id === call.params['issueTypeId']);
      if (type === undefined) throw refuse(400, ['The issue type does not exist.']);
      const { values, ...rest } = page(call, createFields(site, render(call), key, type.subtask));
      return ok({ fields: values, ...paging(rest) });
    },

    [`POST ${api}/issue`]: writing((call) => {
      const issue = createIssue(site, call.body as Json, call.user);
      const { id, key } = issue;
      tell(call, 'jira:issue_created', issue);
      return { status: 201, body: { id, key, self: render(call).self(`issue/${id}`) } };
    }),
    [`GET ${issuePath}`]: (call) => {
      const issue = issueOf(call);
      const expand = asText(call.query['expand']).split(',');
      const body = render(call).issue(issue, names(call.query['fields'], ['*all']));
      const fields = listFields(site) as { id: string; name: string; schema: Json }[];
      const byId = (value: 'name' | 'schema') =>
        Object.fromEntries(fields.map((field) => [field.id, field[value]]));
      return ok({
        ...body,
        ...(expand.includes('transitions') && { transitions: render(call).transitions(issue) }),
        ...(expand.includes('names') && { names: byId('name') }),
        ...(expand.includes('schema') && { schema: byId('schema') }),
      });
    },
    [`PUT ${issuePath}`]: writing((call) => {
      const issue = issueOf(call);
      write(issue, call.body as Json, site, call.user);
      tell(call, 'jira:issue_updated', issue);
      return call.query['returnIssue'] === true
        ? ok(render(call).issue(issue, ['*all']))
        : { status: 204 };
    }),
    [`DELETE ${issuePath}`]: writing((call) => {
      const issue = issueOf(call);
      const children = site.issues.filter(({ parent }) => parent === issue);
      if (children.length > 0 && call.query['deleteSubtasks'] !== 'true')
        throw refuse(400, [
          `The issue '${issue.key}' has subtasks.  You must specify the 'deleteSubtasks' parameter to delete this issue and all its subtasks.`,
        ]);
      for (const gone of [issue, ...children]) tell(call, 'jira:issue_deleted', gone);
      for (const gone of [issue, ...children]) site.issues.splice(site.issues.indexOf(gone), 1);
      return { status: 204 };
    }),
    [`GET ${issuePath}/transitions`]: (call) =>
      ok({ expand: 'transitions', transitions: render(call).transitions(issueOf(call)) }),
    [`POST ${issuePath}/transitions`]: writing((call) => {
      const issue = issueOf(call);
      const body = call.body as Json;
      const wanted = (body['transition'] as Json | undefined)?.['id'];
      if (wanted === undefined) throw refuse(400, ["Missing 'transition' identifier"]);
      const transition = site.transitionsOf(issue).find(({ id }) => id === asText(wanted));
      if (transition === undefined)
        throw refuse(400, [`Transition id '${asText(wanted)}' is not valid for this issue.`]);
      write(issue, body, site, call.user);
      site.move(issue, transition);
      tell(call, 'jira:issue_updated', issue);
      return { status: 204 };
    }),

    [`GET ${issuePath}/comment`]: (call) => {
      const issue = issueOf(call);
      const newestFirst = call.query['orderBy'] === '-created';
      const comments = newestFirst ? [...issue.comments].reverse() : issue.comments;
      const { startAt, maxResults } = window(call, 100);
      const part = comments.slice(startAt, startAt + maxResults);
      return ok(render(call).comments(issue, part, startAt, maxResults));
    },
    [`POST ${issuePath}/comment`]: writing((call) => {
      const issue = issueOf(call);
      const { body, visibility } = (call.body ?? {}) as Json;
      const comment = newComment(site, body, call.user);
      if (visibility !== undefined) comment.visibility = visibility;
      issue.comments.push(comment);
      issue.updated = comment.created;
      tell(call, 'comment_created', issue, comment);
      return { status: 201, body: render(call).comment(issue, comment) };
    }),
    [`GET ${issuePath}/comment/{id}`]: (call) => {
      const issue = issueOf(call);
      return ok(render(call).comment(issue, commentOf(issue, call)));
    },
    [`PUT ${issuePath}/comment/{id}`]: writing((call) => {
      const issue = issueOf(call);
      const comment = commentOf(issue, call);
      const { body, updated } = newComment(site, (call.body as Json)['body'], call.user);
      Object.assign(comment, { body, updated });
      issue.updated = updated;
      return ok(render(call).comment(issue, comment));
    }),
    [`DELETE ${issuePath}/comment/{id}`]: writing((call) => {
      const issue = issueOf(call);
      const comment = commentOf(issue, call);
      issue.comments.splice(issue.comments.indexOf(comment), 1);
      issue.updated = new Date();
      tell(call, 'comment_deleted', issue, comment);
      return { status: 204 };
    }),

    [`POST ${issuePath}/attachments`]: writing((call) => {
      if (call.headers['x-atlassian-token'] !== 'no-check')
        return { status: 403, body: Buffer.from('XSRF check failed') };
      const issue = issueOf(call);
      const files = call.files.filter(({ field }) => field === 'file');
      if (files.some(({ content }) => content.length > 10 * 1024 * 1024))
        throw refuse(413, ['The file exceeds its maximum permitted size of 10485760 bytes.']);
      const created = files.map(({ name, type, content }) => ({
        id: site.nextId(),
        issueId: issue.id,
        filename: name,
        mimeType: type || 'application/octet-stream',
        content,
        author: call.user,
        created: new Date(),
      }));
      issue.attachments.push(...created);
      if (created.length > 0) issue.updated = new Date();
      return ok(created.map((each) => render(call).attachment(each)));
    }),
    [`GET ${api}/attachment/{id}`]: (call) => {
      const attachment = attachmentOf(site, call);
      const { id, created, ...rest } = render(call).attachment(attachment);
      return ok({ ...rest, id: Number(id), created });
    },
    [`GET ${api}/attachment/content/{id}`]: (call) => {
      const { content, mimeType, filename } = attachmentOf(site, call);
      if (call.query['redirect'] === false)
        return { status: 200, headers: { 'content-type': mimeType }, body: content };
      const token = createHash('sha256').update(`${call.params['id']}:${filename}`).digest('hex');
      downloads.set(token, { type: mimeType, name: filename, content });
      return { status: 303, headers: { location: `${call.origin}/file/binary?token=${token}` } };
    },
    [`DELETE ${api}/attachment/{id}`]: writing((call) => {
      const attachment = attachmentOf(site, call);
      const issue = site.issue(attachment.issueId) as Issue;
      issue.attachments.splice(issue.attachments.indexOf(attachment), 1);
      issue.updated = new Date();
      return { status: 204 };
    }),

    [`GET ${api}/search/jql`]: (call) => search(site, call, call.query),
    [`POST ${api}/search/jql`]: (call) => search(site, call, call.body as Json),
    [`POST ${api}/search/approximate-count`]: (call) => {
      const jql = asText((call.body as Json)['jql']);
      return ok({ count: new Search(site, call.user).find(jql).length });
    },
  };
}

/** Refuses users who may only read. */
function writing(route: Route): Route {
  return (call) => {
    if (!call.user.writes)
      throw refuse(403, ['You do not have the permission to do this in this project.']);
    return route(call);
  };
}

function searchUsers({ users }: Site, { query }: Call): User[] {
  const text = asText(query['query']).toLowerCase();
  const accountId = query['accountId'];
  const { startAt, maxResults } = windowOf(query, 50, 1_000);
  return users
    .filter((user) => accountId === undefined || user.accountId === accountId)
    .filter((user) => `${user.displayName} ${user.emailAddress}`.toLowerCase().includes(text))
    .slice(startAt, startAt + maxResults);
}

function projects({ projects: all }: Site, { query }: Call): Site['projects'] {
  const text = asText(query['query']).toLowerCase();
  const keys = query['keys'] as string[] | undefined;
  return all
    .filter(({ key }) => keys === undefined || keys.includes(key))
    .filter(({ key, name }) => `${key} ${name}`.toLowerCase().includes(text));
}

function projectOf(site: Site, { params }: Call): Site['projects'][number] {
  const wanted = params['projectIdOrKey'];
  const project = site.projects.find(({ id, key }) => id === wanted || key === wanted);
  if (project === undefined) throw refuse(400, [`No project could be found with key '${wanted}'.`]);
  return project;
}

function commentOf(issue: Issue, { params }: Call): Comment {
  const comment = issue.comments.find(({ id }) => id === params['id']);
  if (comment === undefined)
    throw refuse(404, [`Can not find a comment for the id: ${params['id']}.`]);
  return comment;
}

function attachmentOf(site: Site, { params }: Call): Issue['attachments'][number] {
  const attachment = site.attachment(params['id'] ?? '');
  if (attachment === undefined)
    throw refuse(404, [`The attachment with id '${params['id']}' does not exist`]);
  return attachment;
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}
