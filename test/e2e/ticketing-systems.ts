import type { OperationId } from '#contract';
import { createRedmineProject, redmine, startSimulator } from '#test/harness';

/** A system that tickets are kept in, and what the walk has to know of it. */
export interface TicketingSystem {
  name: string;
  /** Why it is not there, where it is not. */
  skipped?: string;
  start: () => Promise<RunningSystem>;
  /** Operations that it does not offer, each with the reason. */
  without: Partial<Record<OperationId, string>>;
  /** What a ticket may be created with beside name and summary. */
  body: Record<string, unknown>;
  /** A status that a ticket may be given. */
  closed: string;
  /** Somebody a ticket can be given to. */
  assignee: string;
  /** The status of what does not exist. */
  nobody: string;
}

export interface RunningSystem {
  config: { type: string } & Record<string, unknown>;
  /** What must never be seen in an answer. */
  secret: string;
  /** Makes more tickets, faster than the API would. */
  seed?: (count: number) => Promise<void>;
  /** What was against the vendor's description. */
  violations: () => Promise<unknown[]>;
  stop: () => Promise<void>;
}

const noNotes = {
  ticketing_list_notes: 'it has no notes',
  ticketing_create_note: 'it has no notes',
  ticketing_patch_note: 'it has no notes',
  ticketing_delete_note: 'it has no notes',
} as const;
const noAttachments = {
  ticketing_list_attachments_metadata: 'its API has no attachments',
  ticketing_create_attachment: 'its API has no attachments',
  ticketing_download_attachment: 'its API has no attachments',
  ticketing_delete_attachment: 'its API has no attachments',
} as const;
const nobodyOnCall = {
  ticketing_query_escalation_policies: 'it has nobody on call',
  ticketing_list_on_call: 'it has nobody on call',
} as const;

export const github: TicketingSystem = {
  name: 'GitHub Issues',
  start: async () => {
    const simulator = await startSimulator('github');
    return {
      ...simulator,
      secret: 'agent-token',
      config: {
        type: 'ticketing_github',
        repository: 'octo-org/desk',
        url: simulator.url,
        credential: { type: 'token', secret: 'agent-token' },
      },
    };
  },
  without: { ...noNotes, ...noAttachments, ...nobodyOnCall },
  body: {},
  closed: 'closed',
  assignee: 'ana-agent',
  nobody: '999999',
};

export const jira: TicketingSystem = {
  name: 'Jira',
  start: async () => {
    const simulator = await startSimulator('jira');
    return {
      ...simulator,
      secret: 'agent-token',
      config: {
        type: 'ticketing_jira',
        url: simulator.url,
        default_project: 'OPS',
        default_issue_type: 'Task',
        credential: { type: 'basic', username: 'agent@example.com', secret: 'agent-token' },
      },
    };
  },
  without: { ...noNotes, ...nobodyOnCall },
  body: { priority: 'HIGH' },
  closed: 'Done',
  assignee: '',
  nobody: 'OPS-999999',
};

const server = redmine();

export const realRedmine: TicketingSystem = {
  name: 'Redmine',
  ...('skipped' in server ? { skipped: server.skipped } : {}),
  start: async () => {
    if ('skipped' in server) throw new Error(server.skipped);
    const project = await createRedmineProject(server);
    return {
      config: {
        type: 'ticketing_redmine',
        url: server.url,
        default_project: project.identifier,
        credential: { type: 'token', secret: server.apiKey },
      },
      secret: server.apiKey,
      violations: () => Promise.resolve([]),
      stop: project.drop,
    };
  },
  without: { ...nobodyOnCall },
  body: {},
  closed: 'Closed',
  assignee: '1',
  nobody: '999999',
};
