/** The time zone of every user: one that is not UTC, because Jira reads dates and times of JQL in it. It has no summer time. */
export const timeZone = 'America/Bogota';
/** Minutes east of UTC. */
export const zoneMinutes = -300;

/** State of a Jira Cloud site in memory. Properties have the names of Jira if it has one. */
export interface User {
  accountId: string;
  displayName: string;
  emailAddress: string;
  token: string;
  /** Without it, writing is a 403. */
  writes: boolean;
}

export interface Named {
  id: string;
  name: string;
}

export interface Project extends Named {
  key: string;
  issues: number;
}

export interface Status extends Named {
  category: 'new' | 'indeterminate' | 'done';
}

export interface Transition extends Named {
  from: string[];
  to: string;
}

export interface CustomField extends Named {
  type: 'string' | 'number' | 'option' | 'options';
  /** Jira's name of the kind of field. */
  custom: string;
  options: Named[];
}

export interface Comment {
  id: string;
  body: unknown;
  author: User;
  created: Date;
  updated: Date;
  visibility?: unknown;
}

export interface Attachment {
  id: string;
  issueId: string;
  filename: string;
  mimeType: string;
  content: Buffer;
  author: User;
  created: Date;
}

export interface Issue {
  id: string;
  key: string;
  project: Project;
  issuetype: IssueType;
  summary: string;
  description: unknown;
  priority: Named;
  status: Status;
  labels: string[];
  duedate: string | null;
  assignee: User | null;
  reporter: User;
  creator: User;
  parent: Issue | null;
  created: Date;
  updated: Date;
  resolutiondate: Date | null;
  custom: Record<string, unknown>;
  comments: Comment[];
  attachments: Attachment[];
}

export interface IssueType extends Named {
  subtask: boolean;
}

/** An admin webhook of a site. Its API is not in Jira's OpenAPI description. */
export interface Webhook {
  id: number;
  name: string;
  url: string;
  events: string[];
  secret?: string;
  /** JQL of the form `project = "OPS"`. */
  filter: string;
}

export class Site {
  readonly webhooks: Webhook[] = [];
  webhookIds = 1;
  readonly users: User[] = [
    user('5b10ac8d82e05b22cc7d4ef5', 'Ana Agent', 'agent@example.com', 'agent-token', true),
    user('5b109f2e9729b51b54dc274d', 'Rolf Reader', 'reader@example.com', 'reader-token', false),
    user('5b10a2844c20165700ede21g', 'Mia Krystof', 'mia@example.com', 'mia-token', true),
  ];
  readonly projects: Project[] = [
    { id: '10000', key: 'OPS', name: 'Operations', issues: 0 },
    { id: '10001', key: 'WEB', name: 'Website', issues: 0 },
  ];
  readonly issueTypes: IssueType[] = [
    { id: '10001', name: 'Task', subtask: false },
    { id: '10002', name: 'Bug', subtask: false },
    { id: '10003', name: 'Story', subtask: false },
    { id: '10004', name: 'Sub-task', subtask: true },
  ];
  /** Highest first, as Jira ranks them. */
  readonly priorities: Named[] = ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map(
    (name, index) => ({ id: String(index + 1), name }),
  );
  readonly statuses: Status[] = [
    { id: '10000', name: 'To Do', category: 'new' },
    { id: '3', name: 'In Progress', category: 'indeterminate' },
    { id: '10001', name: 'Done', category: 'done' },
  ];
  /** A finished issue must be reopened before work on it continues. */
  readonly transitions: Transition[] = [
    { id: '11', name: 'Reopen', from: ['In Progress', 'Done'], to: 'To Do' },
    { id: '21', name: 'Start work', from: ['To Do'], to: 'In Progress' },
    { id: '31', name: 'Finish', from: ['To Do', 'In Progress'], to: 'Done' },
  ];
  readonly customFields: CustomField[] = [
    custom('customfield_10010', 'Severity', 'option', 'select', ['Minor', 'Major', 'Critical']),
    custom('customfield_10011', 'Customer', 'string', 'textfield'),
    custom('customfield_10012', 'Effort', 'number', 'float'),
    custom('customfield_10013', 'Teams', 'options', 'multiselect', ['Blue', 'Green']),
  ];
  readonly issues: Issue[] = [];
  private ids = 10_000;

  nextId(): string {
    this.ids += 1;
    return String(this.ids);
  }

  issue(idOrKey: string): Issue | undefined {
    const key = idOrKey.toUpperCase();
    return this.issues.find((issue) => issue.id === idOrKey || issue.key === key);
  }

  status(name: string): Status {
    const status = this.statuses.find((each) => each.name === name);
    if (status === undefined) throw new Error(`no status ${name}`);
    return status;
  }

  /** Returns the transitions of the workflow from the status of the issue. */
  transitionsOf(issue: Issue): Transition[] {
    return this.transitions.filter(({ from }) => from.includes(issue.status.name));
  }

  move(issue: Issue, transition: Transition): void {
    issue.status = this.status(transition.to);
    issue.resolutiondate = issue.status.category === 'done' ? new Date() : null;
    issue.updated = new Date();
  }

  attachment(id: string): Attachment | undefined {
    return this.issues.flatMap(({ attachments }) => attachments).find((each) => each.id === id);
  }
}

function user(
  accountId: string,
  displayName: string,
  emailAddress: string,
  token: string,
  writes: boolean,
): User {
  return { accountId, displayName, emailAddress, token, writes };
}

function custom(
  id: string,
  name: string,
  type: CustomField['type'],
  kind: string,
  options: string[] = [],
): CustomField {
  return {
    id,
    name,
    type,
    custom: `com.atlassian.jira.plugin.system.customfieldtypes:${kind}`,
    options: options.map((value, index) => ({
      id: `${Number(id.slice(12)) + index + 10}`,
      name: value,
    })),
  };
}
