/** State of a Linear workspace in memory. */
export interface User {
  id: string;
  name: string;
  email: string;
  token: string;
  /** Without it, mutations are forbidden. */
  writes: boolean;
}

export interface WorkflowState {
  id: string;
  name: string;
  type: 'backlog' | 'unstarted' | 'started' | 'completed' | 'canceled';
  team: Team;
}

export interface Team {
  id: string;
  key: string;
  name: string;
  issues: number;
}

export interface Label {
  id: string;
  name: string;
  /** Null for labels of the whole workspace. */
  team: Team | null;
  /** A group of labels cannot be a label of an issue. */
  isGroup: boolean;
  createdAt: Date;
}

export interface Comment {
  id: string;
  body: string;
  user: User;
  issue: Issue;
  createdAt: Date;
  updatedAt: Date;
}

export interface Attachment {
  id: string;
  title: string;
  url: string;
  subtitle: string | null;
  metadata: Record<string, unknown>;
  creator: User;
  issue: Issue;
  createdAt: Date;
}

export interface Issue {
  id: string;
  number: number;
  identifier: string;
  title: string;
  description: string | null;
  priority: number;
  dueDate: string | null;
  estimate: number | null;
  team: Team;
  state: WorkflowState;
  assignee: User | null;
  creator: User;
  labels: Label[];
  parent: Issue | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  canceledAt: Date | null;
}

export interface StoredFile {
  type: string;
  size: number;
  content: Buffer | null;
}

/** A webhook of a workspace; without a team, of all teams. */
export interface Webhook {
  id: string;
  url: string;
  secret: string;
  label: string | null;
  enabled: boolean;
  resourceTypes: string[];
  team: Team | null;
  creator: User;
  createdAt: Date;
}

export class Workspace {
  private ids = 0;
  readonly users: User[] = [
    this.user('Ana Agent', 'ana@example.com', 'agent-token', true),
    this.user('Rolf Reader', 'rolf@example.com', 'reader-token', false),
    this.user('Mia Member', 'mia@example.com', 'mia-token', true),
  ];
  readonly teams: Team[] = [
    { id: this.nextId(), key: 'ENG', name: 'Engineering', issues: 0 },
    { id: this.nextId(), key: 'OPS', name: 'Operations', issues: 0 },
  ];
  readonly states: WorkflowState[] = this.teams.flatMap((team) =>
    (
      [
        ['Backlog', 'backlog'],
        ['Todo', 'unstarted'],
        ['In Progress', 'started'],
        ['Done', 'completed'],
        ['Canceled', 'canceled'],
      ] as const
    ).map(([name, type]) => ({ id: this.nextId(), name, type, team })),
  );
  readonly labels: Label[] = [
    this.label('bug', null),
    this.label('feature', null),
    this.label('backend', this.teams[0] ?? null),
  ];
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  readonly attachments: Attachment[] = [];
  readonly webhooks: Webhook[] = [];
  readonly files = new Map<string, StoredFile>();

  /** Returns an id in the form of a UUID, as all ids of Linear. */
  nextId(): string {
    this.ids += 1;
    return `00000000-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
  }

  /** Finds an issue by id, or by its identifier: `ENG-12`. */
  issue(id: string): Issue | undefined {
    return this.issues.find((each) => each.id === id || each.identifier === id.toUpperCase());
  }

  /** Creates an issue that is not in its team yet. */
  draft(team: Team, title: string, creator: User): Issue {
    const createdAt = new Date();
    const state = this.states.find((each) => each.team === team && each.type === 'backlog');
    return {
      id: this.nextId(),
      number: 0,
      identifier: '',
      title,
      description: null,
      priority: 0,
      dueDate: null,
      estimate: null,
      team,
      state: state as WorkflowState,
      assignee: null,
      creator,
      labels: [],
      parent: null,
      createdAt,
      updatedAt: createdAt,
      completedAt: null,
      canceledAt: null,
    };
  }

  add(issue: Issue): Issue {
    const { team } = issue;
    team.issues += 1;
    Object.assign(issue, { number: team.issues, identifier: `${team.key}-${team.issues}` });
    this.issues.push(issue);
    return issue;
  }

  move(issue: Issue, state: WorkflowState): void {
    issue.state = state;
    issue.completedAt = state.type === 'completed' ? new Date() : null;
    issue.canceledAt = state.type === 'canceled' ? new Date() : null;
  }

  label(name: string, team: Team | null): Label {
    return { id: this.nextId(), name, team, isGroup: false, createdAt: new Date() };
  }

  private user(name: string, email: string, token: string, writes: boolean): User {
    return { id: this.nextId(), name, email, token, writes };
  }
}

const hour = 3_600_000;

/** Creates issues an hour apart, the last of them an hour ago. */
export function seed(workspace: Workspace, count: number): void {
  const [engineering, operations] = workspace.teams as [Team, Team];
  const [agent, , mia] = workspace.users as [User, User, User];
  for (let index = 0; index < count; index += 1) {
    const number = workspace.issues.length + 1;
    const team = number % 3 === 0 ? operations : engineering;
    const issue = workspace.add(workspace.draft(team, `Seeded issue ${number}`, agent));
    issue.description = `What happened in number ${number}`;
    issue.priority = number % 5;
    issue.labels = workspace.labels.slice(number % 2, (number % 2) + 1);
    issue.assignee = number % 4 === 0 ? mia : null;
    issue.createdAt = issue.updatedAt = new Date(Date.now() - (count - index) * hour);
  }
}
