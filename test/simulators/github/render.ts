import {
  type Comment,
  fullName,
  type Issue,
  type Label,
  type Repository,
  type User,
} from './world.js';

type Json = Record<string, unknown>;

/** GitHub's responses, in the form of its description. */
export class Render {
  private readonly html: string;

  constructor(private readonly origin: string) {
    this.html = origin;
  }

  static time(date: Date): string {
    return date.toISOString().replace(/\.\d+Z$/, 'Z');
  }

  user({ id, login }: User): Json {
    const url = `${this.origin}/users/${login}`;
    return {
      login,
      id,
      node_id: node('U', id),
      avatar_url: `${this.html}/avatars/${id}`,
      gravatar_id: '',
      url,
      html_url: `${this.html}/${login}`,
      followers_url: `${url}/followers`,
      following_url: `${url}/following{/other_user}`,
      gists_url: `${url}/gists{/gist_id}`,
      starred_url: `${url}/starred{/owner}{/repo}`,
      subscriptions_url: `${url}/subscriptions`,
      organizations_url: `${url}/orgs`,
      repos_url: `${url}/repos`,
      events_url: `${url}/events{/privacy}`,
      received_events_url: `${url}/received_events`,
      type: 'User',
      site_admin: false,
    };
  }

  /** `GET /users/{username}`. */
  publicUser(user: User): Json {
    const long_ago = '2020-01-01T00:00:00Z';
    return {
      ...this.user(user),
      name: user.login.split('-').map(capitalized).join(' '),
      company: null,
      blog: '',
      location: null,
      email: null,
      hireable: null,
      bio: null,
      public_repos: 0,
      public_gists: 0,
      followers: 0,
      following: 0,
      created_at: long_ago,
      updated_at: long_ago,
    };
  }

  label(repository: Repository, { id, name, color }: Label): Json {
    return {
      id,
      node_id: node('LA', id),
      url: `${this.repositoryUrl(repository)}/labels/${encodeURIComponent(name)}`,
      name,
      description: null,
      color,
      default: name === 'bug',
    };
  }

  issue(repository: Repository, issue: Issue): Json {
    const kind = issue.isPullRequest ? 'pull' : 'issues';
    const home = this.repositoryUrl(repository);
    const url = `${home}/issues/${issue.number}`;
    const html = `${this.html}/${fullName(repository)}/${kind}/${issue.number}`;
    const [assignee] = issue.assignees;
    return {
      id: issue.id,
      node_id: node('I', issue.id),
      url,
      repository_url: home,
      labels_url: `${url}/labels{/name}`,
      comments_url: `${url}/comments`,
      events_url: `${url}/events`,
      html_url: html,
      number: issue.number,
      state: issue.state,
      state_reason: issue.stateReason,
      title: issue.title,
      body: issue.body,
      user: this.user(issue.user),
      labels: issue.labels.map((label) => this.label(repository, label)),
      assignee: assignee === undefined ? null : this.user(assignee),
      assignees: issue.assignees.map((each) => this.user(each)),
      milestone: null,
      locked: false,
      active_lock_reason: null,
      comments: issue.comments.length,
      closed_at: issue.closed && Render.time(issue.closed),
      closed_by: issue.closedBy && this.user(issue.closedBy),
      created_at: Render.time(issue.created),
      updated_at: Render.time(issue.updated),
      author_association: 'MEMBER',
      ...(issue.isPullRequest && {
        draft: false,
        pull_request: {
          url: `${home}/pulls/${issue.number}`,
          html_url: html,
          diff_url: `${html}.diff`,
          patch_url: `${html}.patch`,
          merged_at: null,
        },
      }),
    };
  }

  comment(repository: Repository, issue: Issue, comment: Comment): Json {
    const home = this.repositoryUrl(repository);
    return {
      id: comment.id,
      node_id: node('IC', comment.id),
      url: `${home}/issues/comments/${comment.id}`,
      html_url: `${this.html}/${fullName(repository)}/issues/${issue.number}#issuecomment-${comment.id}`,
      issue_url: `${home}/issues/${issue.number}`,
      body: comment.body,
      user: this.user(comment.user),
      created_at: Render.time(comment.created),
      updated_at: Render.time(comment.updated),
      author_association: 'MEMBER',
    };
  }

  /** `GET /repos/{owner}/{repo}`: `permissions` are those of the token. */
  repository(repository: Repository, user: User): Json {
    const url = this.repositoryUrl(repository);
    const html = `${this.html}/${fullName(repository)}`;
    const push = user.access === 'write';
    const open = repository.issues.filter(({ state, gone }) => state === 'open' && !gone).length;
    return {
      id: repository.id,
      node_id: node('R', repository.id),
      name: repository.name,
      full_name: fullName(repository),
      private: true,
      owner: this.user({ id: 100, login: repository.owner, token: '', access: 'none' }),
      html_url: html,
      description: `The repository ${repository.name}`,
      fork: false,
      url,
      ...Object.fromEntries(repositoryLinks.map((name) => [`${name}_url`, `${url}/${name}`])),
      git_url: `git://${new URL(html).host}/${fullName(repository)}.git`,
      ssh_url: `git@${new URL(html).host}:${fullName(repository)}.git`,
      clone_url: `${html}.git`,
      svn_url: html,
      mirror_url: null,
      homepage: null,
      language: null,
      license: null,
      ...Object.fromEntries(repositoryCounts.map((name) => [name, 0])),
      open_issues: open,
      open_issues_count: open,
      default_branch: 'main',
      has_issues: repository.hasIssues,
      has_projects: false,
      has_wiki: false,
      has_pages: false,
      has_discussions: false,
      archived: false,
      disabled: false,
      pushed_at: '2026-01-01T00:00:00Z',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      permissions: { admin: false, maintain: false, push, triage: push, pull: true },
    };
  }

  private repositoryUrl(repository: Repository): string {
    return `${this.origin}/repos/${fullName(repository)}`;
  }
}

const repositoryCounts = [
  ...['forks', 'forks_count', 'size', 'stargazers_count', 'watchers', 'watchers_count'],
  ...['network_count', 'subscribers_count'],
];
const repositoryLinks = [
  ...['archive', 'assignees', 'blobs', 'branches', 'collaborators', 'comments', 'commits'],
  ...['compare', 'contents', 'contributors', 'deployments', 'downloads', 'events', 'forks'],
  ...['git_commits', 'git_refs', 'git_tags', 'hooks', 'issue_comment', 'issue_events', 'issues'],
  ...['keys', 'labels', 'languages', 'merges', 'milestones', 'notifications', 'pulls', 'releases'],
  ...['stargazers', 'statuses', 'subscribers', 'subscription', 'tags', 'teams', 'trees'],
];

function node(kind: string, id: number): string {
  return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
