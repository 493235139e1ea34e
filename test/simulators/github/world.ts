/** GitHub's state in memory: an organization, its repositories, and the users who may see them. */
export interface User {
  id: number;
  login: string;
  token: string;
  /** none: the repositories are 404; read: writing is 403. */
  access: 'none' | 'read' | 'write';
}

export interface Label {
  id: number;
  name: string;
  color: string;
}

export interface Comment {
  id: number;
  body: string;
  user: User;
  created: Date;
  updated: Date;
}

export interface Issue {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: string | null;
  labels: Label[];
  assignees: User[];
  user: User;
  comments: Comment[];
  isPullRequest: boolean;
  /** The new place of the issue; `deleted` if it was deleted. */
  gone: 'deleted' | { repository: string; number: number } | null;
  created: Date;
  updated: Date;
  closed: Date | null;
  closedBy: User | null;
}

export interface Repository {
  id: number;
  owner: string;
  name: string;
  hasIssues: boolean;
  labels: Label[];
  issues: Issue[];
  hooks: Hook[];
}

/** Times have whole seconds, as on the wire. */
export function now(): Date {
  return new Date(Math.floor(Date.now() / 1_000) * 1_000);
}

/** A webhook of a repository. */
export interface Hook {
  id: number;
  active: boolean;
  events: string[];
  config: { url: string; content_type?: string; insecure_ssl?: string; secret?: string };
  created: Date;
}

export class World {
  readonly users: User[] = [
    { id: 1, login: 'ana-agent', token: 'agent-token', access: 'write' },
    { id: 2, login: 'rolf-reader', token: 'reader-token', access: 'read' },
    { id: 3, login: 'otto-outsider', token: 'outsider-token', access: 'none' },
    { id: 4, login: 'mia-member', token: 'mia-token', access: 'write' },
  ];
  readonly repositories: Repository[] = [
    repository(500, 'desk', true),
    repository(501, 'archive', true),
    repository(502, 'wiki', false),
  ];
  private ids = 1_000;

  nextId(): number {
    this.ids += 1;
    return this.ids;
  }

  find(owner: string, name: string): Repository | undefined {
    const wanted = `${owner}/${name}`.toLowerCase();
    return this.repositories.find((each) => fullName(each).toLowerCase() === wanted);
  }

  user(login: string): User | undefined {
    return this.users.find((each) => each.login.toLowerCase() === login.toLowerCase());
  }

  /** Returns the label of a name, which GitHub creates for users who may write. */
  label(repository: Repository, name: string): Label {
    const found = repository.labels.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const label = { id: this.nextId(), name, color: 'ededed' };
    repository.labels.push(label);
    return label;
  }

  create(repository: Repository, user: User, title: string, isPullRequest = false): Issue {
    const moment = now();
    const issue: Issue = {
      id: this.nextId(),
      number: repository.issues.length + 1,
      title,
      body: null,
      state: 'open',
      stateReason: null,
      labels: [],
      assignees: [],
      user,
      comments: [],
      isPullRequest,
      gone: null,
      created: moment,
      updated: moment,
      closed: null,
      closedBy: null,
    };
    repository.issues.push(issue);
    return issue;
  }
}

function repository(id: number, name: string, hasIssues: boolean): Repository {
  const labels = [{ id: id * 10, name: 'bug', color: 'd73a4a' }];
  return { id, owner: 'octo-org', name, hasIssues, labels, issues: [], hooks: [] };
}

export function fullName({ owner, name }: Repository): string {
  return `${owner}/${name}`;
}

const hour = 3_600_000;

/** Creates issues an hour apart, the last of them an hour ago, every fourth followed by a pull request. */
export function seed(world: World, count: number): void {
  const [repository] = world.repositories as [Repository];
  const [agent, , , mia] = world.users as [User, User, User, User];
  for (let index = 0; index < count; index += 1) {
    const moment = new Date(now().getTime() - (count - index) * hour);
    const number = repository.issues.length + 1;
    const issue = world.create(repository, agent, `Seeded issue ${number}`);
    issue.body = `What happened in number ${number}`;
    issue.labels = [world.label(repository, index % 2 === 0 ? 'bug' : 'question')];
    issue.assignees = index % 3 === 0 ? [mia] : [];
    issue.created = issue.updated = moment;
    if (index % 4 !== 3) continue;
    const pullRequest = world.create(repository, agent, `Seeded pull request ${number + 1}`, true);
    pullRequest.created = pullRequest.updated = moment;
  }
}

/** Creates a world with some records, a deleted issue and one that moved. */
export function createWorld(): World {
  const world = new World();
  const [desk, archive] = world.repositories as [Repository, Repository];
  const [agent] = world.users as [User];
  world.create(archive, agent, 'An issue that moved here');
  seed(world, 12);
  world.create(desk, agent, 'Deleted').gone = 'deleted';
  world.create(desk, agent, 'Moved').gone = { repository: fullName(archive), number: 1 };
  return world;
}
