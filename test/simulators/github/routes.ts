import { type Answer, asText, type Exchange } from '#test/simulators';
import { bodyOf, change } from './changes.js';
import { createHook, findHook, notifyHooks, renderHook } from './hooks.js';
import { page } from './paging.js';
import { invalid, notFound, refuse } from './refusals.js';
import { Render } from './render.js';
import { searchIssues } from './search.js';
import { type Comment, type Issue, now, type Repository, type User, type World } from './world.js';

type Call = Exchange<User>;
type Json = Record<string, unknown>;
type Route = (call: Call) => Answer;

const home = '/repos/{owner}/{repo}';

export function routes(world: World): Record<string, Route> {
  const render = ({ origin }: Call) => new Render(origin);
  const repositoryOf = ({ params, user }: Call) => {
    const repository = world.find(params['owner'] ?? '', params['repo'] ?? '');
    if (repository === undefined || user.access === 'none') throw notFound();
    return repository;
  };
  const issueOf = (call: Call) => present(call, repositoryOf(call));
  const tell = (call: Call, repository: Repository, event: string, message: Json) =>
    notifyHooks(repository, event, {
      ...message,
      repository: render(call).repository(repository, call.user),
      sender: render(call).user(call.user),
    });

  return {
    'GET /rate_limit': ({ user: _user }) => ({ status: 200, body: rateLimit() }),
    'GET /users/{username}': (call) => {
      const user = world.user(call.params['username'] ?? '');
      if (user === undefined) throw notFound();
      return ok(render(call).publicUser(user));
    },
    'GET /user': (call) => ok(render(call).publicUser(call.user)),
    [`GET ${home}`]: (call) => ok(render(call).repository(repositoryOf(call), call.user)),
    [`GET ${home}/labels`]: (call) => {
      const repository = repositoryOf(call);
      const { rows, headers } = page(call, repository.labels);
      return ok(
        rows.map((label) => render(call).label(repository, label)),
        headers,
      );
    },
    [`GET ${home}/assignees`]: (call) => {
      repositoryOf(call);
      const { rows, headers } = page(
        call,
        world.users.filter(({ access }) => access !== 'none'),
      );
      return ok(
        rows.map((user) => render(call).user(user)),
        headers,
      );
    },

    [`GET ${home}/issues`]: (call) => {
      const repository = repositoryOf(call);
      if (!repository.hasIssues) throw notFound();
      const { rows, headers } = page(call, list(repository, call.query));
      return ok(
        rows.map((issue) => render(call).issue(repository, issue)),
        headers,
      );
    },
    [`POST ${home}/issues`]: writing((call) => {
      const repository = repositoryOf(call);
      if (!repository.hasIssues) throw refuse(410, 'Issues are disabled for this repo');
      const input = call.body as Json;
      const issue = world.create(repository, call.user, '');
      try {
        if (input['title'] === undefined)
          throw invalid('Issue', [{ field: 'title', code: 'missing_field' }]);
        change(world, repository, issue, input, call.user);
      } catch (error) {
        repository.issues.pop();
        throw error;
      }
      const body = render(call).issue(repository, issue);
      tell(call, repository, 'issues', { action: 'opened', issue: body });
      return { status: 201, headers: { location: asText(body['url']) }, body };
    }),
    [`GET ${home}/issues/{issue_number}`]: (call) => {
      const issue = issueOf(call);
      return ok(render(call).issue(repositoryOf(call), issue));
    },
    [`PATCH ${home}/issues/{issue_number}`]: writing((call) => {
      const issue = issueOf(call);
      const repository = repositoryOf(call);
      const before = issue.state;
      change(world, repository, issue, (call.body ?? {}) as Json, call.user);
      const body = render(call).issue(repository, issue);
      const moved = issue.state === 'closed' ? 'closed' : 'reopened';
      const action = issue.state === before ? 'edited' : moved;
      tell(call, repository, 'issues', { action, issue: body });
      return ok(body);
    }),

    [`GET ${home}/issues/{issue_number}/comments`]: (call) => {
      const issue = issueOf(call);
      const since = Date.parse(asText(call.query['since'])) || 0;
      const comments = issue.comments.filter(({ updated }) => updated.getTime() >= since);
      const { rows, headers } = page(call, comments);
      const repository = repositoryOf(call);
      return ok(
        rows.map((each) => render(call).comment(repository, issue, each)),
        headers,
      );
    },
    [`POST ${home}/issues/{issue_number}/comments`]: writing((call) => {
      const issue = issueOf(call);
      const moment = now();
      const comment = {
        id: world.nextId(),
        body: bodyOf(call.body),
        user: call.user,
        created: moment,
        updated: moment,
      };
      issue.comments.push(comment);
      issue.updated = moment;
      const repository = repositoryOf(call);
      const body = render(call).comment(repository, issue, comment);
      const about = render(call).issue(repository, issue);
      tell(call, repository, 'issue_comment', { action: 'created', issue: about, comment: body });
      return { status: 201, headers: { location: asText(body['url']) }, body };
    }),
    [`GET ${home}/issues/comments/{comment_id}`]: (call) => {
      const { issue, comment } = commentOf(call, repositoryOf(call));
      return ok(render(call).comment(repositoryOf(call), issue, comment));
    },
    [`PATCH ${home}/issues/comments/{comment_id}`]: writing((call) => {
      const { issue, comment } = commentOf(call, repositoryOf(call));
      comment.body = bodyOf(call.body);
      comment.updated = now();
      return ok(render(call).comment(repositoryOf(call), issue, comment));
    }),
    [`DELETE ${home}/issues/comments/{comment_id}`]: writing((call) => {
      const repository = repositoryOf(call);
      const { issue, comment } = commentOf(call, repository);
      const body = render(call).comment(repository, issue, comment);
      issue.comments.splice(issue.comments.indexOf(comment), 1);
      const about = render(call).issue(repository, issue);
      tell(call, repository, 'issue_comment', { action: 'deleted', issue: about, comment: body });
      return { status: 204 };
    }),

    [`POST ${home}/hooks`]: writing((call) => createHook(world, repositoryOf(call), call)),
    [`GET ${home}/hooks/{hook_id}`]: writing((call) => {
      const repository = repositoryOf(call);
      const hook = findHook(repository, call.params['hook_id']);
      return ok(renderHook(call.origin, repository, hook));
    }),
    [`DELETE ${home}/hooks/{hook_id}`]: writing((call) => {
      const { hooks } = repositoryOf(call);
      hooks.splice(hooks.indexOf(findHook(repositoryOf(call), call.params['hook_id'])), 1);
      return { status: 204 };
    }),

    'GET /search/issues': (call) => {
      if (call.user.access === 'none')
        return ok({ total_count: 0, incomplete_results: false, items: [], search_type: 'lexical' });
      const found = ordered(
        searchIssues(world, asText(call.query['q'])),
        call.query['sort'] === 'updated' ? 'updated' : 'created',
        call.query['order'] !== 'asc',
        ({ issue }) => issue,
      );
      const { rows, headers } = page(call, found.slice(0, 1_000));
      const items = rows.map(({ repository, issue }) => ({
        ...render(call).issue(repository, issue),
        body: issue.body ?? '', // by the description never null here, though it is elsewhere
        score: 1,
      }));
      const rest = { incomplete_results: false, search_type: 'lexical' };
      return ok({ total_count: found.length, ...rest, items }, headers);
    },
  };
}

function list(repository: Repository, query: Json): Issue[] {
  const state = asText(query['state']) || 'open';
  const labels = asText(query['labels'])
    .split(',')
    .filter((label) => label !== '');
  const assignee = asText(query['assignee']);
  const creator = asText(query['creator']);
  const since = Date.parse(asText(query['since'])) || 0;
  const found = repository.issues
    .filter(({ gone }) => gone === null)
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => labels.every((label) => issue.labels.some(({ name }) => name === label)))
    .filter((issue) => hasAssignee(issue, assignee))
    .filter(({ user }) => creator === '' || user.login === creator)
    .filter(({ updated }) => updated.getTime() >= since);
  const sort =
    query['sort'] === 'updated' || query['sort'] === 'comments' ? query['sort'] : 'created';
  return ordered(found, sort, query['direction'] !== 'asc', (issue) => issue);
}

function hasAssignee({ assignees }: Issue, wanted: string): boolean {
  if (wanted === '') return true;
  if (wanted === 'none') return assignees.length === 0;
  return wanted === '*' ? assignees.length > 0 : assignees.some(({ login }) => login === wanted);
}

function ordered<T>(
  rows: T[],
  sort: 'created' | 'updated' | 'comments',
  descending: boolean,
  of: (row: T) => Issue,
): T[] {
  const value = (issue: Issue) =>
    sort === 'comments' ? issue.comments.length : issue[sort].getTime();
  const ascending = [...rows].sort(
    (one, other) => value(of(one)) - value(of(other)) || of(one).number - of(other).number,
  );
  return descending ? ascending.reverse() : ascending;
}

function present({ params, origin }: Call, repository: Repository): Issue {
  const issue = repository.issues.find(({ number }) => number === Number(params['issue_number']));
  if (issue === undefined) throw notFound();
  if (issue.gone === null) return issue;
  if (issue.gone === 'deleted') throw refuse(410, 'This issue was deleted');
  const location = `${origin}/repos/${issue.gone.repository}/issues/${issue.gone.number}`;
  throw refuse(301, 'Moved Permanently', { location });
}

function commentOf({ params }: Call, { issues }: Repository): { issue: Issue; comment: Comment } {
  for (const issue of issues) {
    const comment = issue.comments.find(({ id }) => id === Number(params['comment_id']));
    if (comment !== undefined) return { issue, comment };
  }
  throw notFound();
}

/** Refuses users who may only read, naming the permission as GitHub does. */
function writing(route: Route): Route {
  return (call) => {
    if (call.user.access === 'read')
      throw refuse(403, 'Resource not accessible by personal access token', {
        'x-accepted-github-permissions': 'issues=write',
      });
    return route(call);
  };
}

function rateLimit(): Json {
  const rate = {
    limit: 5_000,
    remaining: 5_000,
    used: 0,
    reset: Math.ceil(Date.now() / 1_000) + 3_600,
  };
  return { resources: { core: rate, search: { ...rate, limit: 30, remaining: 30 } }, rate };
}

function ok(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers, body };
}
