// The calls of the client of Jira Cloud that its users keep, which validates what it reads against the models of Atlassian's description.
import { createCloudClient } from 'jira.js/cloud';
import { createServiceDeskClient } from 'jira.js/serviceDesk';
import { follow } from './pages.mjs';
import { valuesIn } from './values.mjs';

const optionsOf = ({ url, credentials: { basic } }) => ({
  host: url,
  auth: { type: 'basic', email: basic.username, apiToken: basic.password },
  onSchemaMismatch: 'throw',
});

/** All pages of a list of Jira Service Management. */
const pagesOf = (read) =>
  follow(async (start = 0) => {
    const page = await read({ start, limit: 2 });
    return { items: page.values, next: page.isLastPage ? undefined : start + page.values.length };
  });

const times = ['created', 'updated', 'resolutiondate'];

const priorities = {
  Highest: 'URGENT',
  High: 'HIGH',
  Medium: 'MEDIUM',
  Low: 'LOW',
  Lowest: 'PLANNING',
};

/** The texts of a document of Atlassian's format. */
const textsIn = (node) =>
  node?.text === undefined ? (node?.content ?? []).flatMap(textsIn) : [node.text];

const hourMs = 3_600_000;

/** A time in the zone of the user who calls, as our records have it. */
const timeOf = (time) =>
  new Date(new Date(time).getTime() + hourMs).toISOString().replace('Z', '+01:00');

/** Our priorities have names of their own, times are of one form, and texts are Markdown. */
function valuesOfIssue({ fields, ...issue }) {
  const { description, priority, duedate, ...others } = fields;
  return [
    ...valuesIn(issue),
    // Comments have an operation of their own.
    ...valuesIn(others, [...times, 'comment']),
    ...times.flatMap((name) => (fields[name] ? [timeOf(fields[name])] : [])),
    priorities[priority.name],
    ...(textsIn(description).length === 1 ? textsIn(description) : []),
    ...(duedate ? [`${duedate}T00:00:00Z`] : []),
  ];
}

const valuesOfComment = ({ body, ...comment }) => [
  ...valuesIn(comment, times),
  ...textsIn(body),
  timeOf(comment.created),
];

const valuesOfReply = ({ id, body, author, created }) => [
  id,
  body,
  author.accountId,
  author.displayName,
  timeOf(created.epochMillis),
];

export const jiraCalls = {
  async ticketing_jira_mock(fake) {
    const client = createCloudClient(optionsOf(fake));
    const projects = await follow(async (startAt = 0) => {
      const page = await client.projects.searchProjects({ startAt, maxResults: 2 });
      return { items: page.values, next: page.isLast ? undefined : startAt + page.values.length };
    });
    const issues = await follow(async (nextPageToken) => {
      const page = await client.issueSearch.searchAndReconsileIssuesUsingJqlPost({
        jql: 'created >= "2020-01-01" order by created asc',
        fields: ['*all'],
        maxResults: 10,
        nextPageToken,
      });
      return { items: page.issues, next: page.nextPageToken };
    });
    const one = await client.issues.getIssue({ issueIdOrKey: issues[0].key });
    const { comments } = await client.issueComments.getComments({ issueIdOrKey: one.key });
    const path = { ticketId: one.key };
    return [
      { operation: 'ticketing_list_projects', read: projects.map((one) => valuesIn(one)) },
      { operation: 'ticketing_query_tickets', read: issues.map(valuesOfIssue) },
      { operation: 'ticketing_get_ticket', path, read: [valuesOfIssue(one)] },
      { operation: 'ticketing_list_comments', path, read: comments.map(valuesOfComment) },
    ];
  },

  async ticketing_jira_service_management_mock(fake) {
    const client = createServiceDeskClient(optionsOf(fake));
    const desks = await pagesOf((page) => client.servicedesk.getServiceDesks(page));
    const issueIdOrKey = 'ITS-4101';
    const comments = await pagesOf((page) =>
      client.request.getRequestComments({ issueIdOrKey, ...page }),
    );
    const path = { ticketId: issueIdOrKey };
    return [
      {
        operation: 'ticketing_list_projects',
        read: desks.map((one) => [one.projectId, one.projectKey, one.projectName]),
      },
      {
        operation: 'ticketing_list_comments',
        path,
        read: comments.filter((one) => one.public).map(valuesOfReply),
      },
    ];
  },
};
