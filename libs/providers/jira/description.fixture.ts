import { readFileSync } from 'node:fs';
import { Description } from '#test/harness';
import { documentFaults } from './document-format.fixture.js';

/** Atlassian's description, and the schema of its documents, which it does not refer to. */
class JiraDescription extends Description {
  override checkBody(...[operation, type, body]: Parameters<Description['checkBody']>): string[] {
    return [...super.checkBody(operation, type, body), ...documentFaults(body)];
  }

  override checkAnswer(
    ...[operation, status, type, body]: Parameters<Description['checkAnswer']>
  ): string[] {
    return [...super.checkAnswer(operation, status, type, body), ...documentFaults(body)];
  }
}

const file = new URL('description/openapi.json', import.meta.url);

export const description = new JiraDescription({
  document: JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>,
  // Jira's own description declares hardly any field as required.
  required: {
    CreatedIssue: ['id', 'key', 'self'],
    IssueBean: ['id'],
    SearchAndReconcileRequestBean: ['jql'],
    SearchAndReconcileResults: ['issues', 'isLast'],
    PageBeanProject: ['values', 'isLast', 'total', 'startAt', 'maxResults'],
    PageOfComments: ['comments', 'total', 'startAt', 'maxResults'],
    Comment: ['body'],
    ErrorCollection: ['errorMessages', 'errors'],
    Transitions: ['transitions'],
    JQLCountRequestBean: ['jql'],
    JQLCountResultsBean: ['count'],
  },
  // Its times have an offset without a colon.
  formats: { 'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{4}$/ },
});

/** Admin webhooks are described in a guide alone, files and operations come from other hosts, and people by ids are not in the part that is at hand. */
export const undescribed =
  /\/rest\/webhooks\/|\/file\/binary|\/jsm\/ops\/|\/_edge\/tenant_info|\/user\/bulk/;
