import { connection, type PageArguments } from './connection.js';
import type {
  Attachment,
  Comment,
  Issue,
  Label,
  Team,
  User,
  Webhook,
  WorkflowState,
  Workspace,
} from './workspace.js';

const began = new Date('2024-01-01T00:00:00Z');
const priorities = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];

/** Simulated fields of Linear's types; functions are called with the arguments of the field. */
export class Render {
  constructor(
    private readonly workspace: Workspace,
    private readonly origin: string,
    private readonly viewer: User,
  ) {}

  readonly user = (user: User): object => ({
    id: user.id,
    name: user.name,
    displayName: user.name.split(' ')[0]?.toLowerCase(),
    email: user.email,
    active: true,
    admin: false,
    app: false,
    guest: false,
    isMe: user === this.viewer,
    isAssignable: true,
    url: `${this.origin}/profiles/${user.id}`,
    createdAt: began,
    updatedAt: began,
  });

  readonly team = (team: Team): object => ({
    id: team.id,
    key: team.key,
    name: team.name,
    displayName: team.name,
    description: null,
    private: false,
    visibility: 'public',
    timezone: 'Etc/UTC',
    issueCount: team.issues,
    createdAt: began,
    updatedAt: began,
    states: (args: PageArguments) => connection(this.statesOf(team), args, this.state),
    labels: (args: PageArguments) =>
      connection(
        this.workspace.labels.filter((label) => label.team === null || label.team === team),
        args,
        this.label,
      ),
    members: (args: PageArguments) => connection(this.workspace.users, args, this.user),
    defaultIssueState: () => this.state(this.statesOf(team)[0] as WorkflowState),
    issues: (args: PageArguments) =>
      connection(
        this.workspace.issues.filter((issue) => issue.team === team),
        args,
        this.issue,
      ),
  });

  readonly state = (state: WorkflowState): object => ({
    id: state.id,
    name: state.name,
    type: state.type,
    description: null,
    color: '#bec2c8',
    position: this.statesOf(state.team).indexOf(state),
    team: () => this.team(state.team),
    createdAt: began,
    updatedAt: began,
  });

  readonly label = (label: Label): object => ({
    id: label.id,
    name: label.name,
    color: '#bb87fc',
    description: null,
    isGroup: label.isGroup,
    team: () => label.team && this.team(label.team),
    createdAt: label.createdAt,
    updatedAt: label.createdAt,
  });

  readonly issue = (issue: Issue): object => ({
    ...issue,
    priorityLabel: priorities[issue.priority],
    branchName: `issue/${issue.identifier.toLowerCase()}`,
    url: `${this.origin}/workspace/issue/${issue.identifier}`,
    labelIds: issue.labels.map(({ id }) => id),
    previousIdentifiers: [],
    trashed: null,
    archivedAt: null,
    team: () => this.team(issue.team),
    state: () => this.state(issue.state),
    assignee: () => issue.assignee && this.user(issue.assignee),
    creator: () => this.user(issue.creator),
    parent: () => issue.parent && this.issue(issue.parent),
    labels: (args: PageArguments) => connection(issue.labels, args, this.label),
    children: (args: PageArguments) =>
      connection(
        this.workspace.issues.filter(({ parent }) => parent === issue),
        args,
        this.issue,
      ),
    comments: (args: PageArguments) =>
      connection(
        this.workspace.comments.filter((comment) => comment.issue === issue),
        args,
        this.comment,
      ),
    attachments: (args: PageArguments) =>
      connection(
        this.workspace.attachments.filter((attachment) => attachment.issue === issue),
        args,
        this.attachment,
      ),
  });

  readonly webhook = (webhook: Webhook): object => ({
    ...webhook,
    secret: null,
    allPublicTeams: webhook.team === null,
    updatedAt: webhook.createdAt,
    team: () => webhook.team && this.team(webhook.team),
    creator: () => this.user(webhook.creator),
  });

  readonly comment = (comment: Comment): object => ({
    ...comment,
    editedAt: comment.updatedAt > comment.createdAt ? comment.updatedAt : null,
    url: `${this.origin}/workspace/issue/${comment.issue.identifier}#comment-${comment.id}`,
    issueId: comment.issue.id,
    issue: () => this.issue(comment.issue),
    user: () => this.user(comment.user),
    parent: null,
    reactionData: {},
  });

  readonly attachment = (attachment: Attachment): object => ({
    ...attachment,
    updatedAt: attachment.createdAt,
    source: null,
    sourceType: 'unknown',
    groupBySource: false,
    issue: () => this.issue(attachment.issue),
    creator: () => this.user(attachment.creator),
  });

  private statesOf(team: Team): WorkflowState[] {
    return this.workspace.states.filter((state) => state.team === team);
  }
}
