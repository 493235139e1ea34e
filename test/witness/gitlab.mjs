// The calls of the client of GitLab that its users keep, which knows the REST API alone: it reads vulnerabilities by the list that is deprecated,
// and our document by GraphQL.
import { Gitlab } from '@gitbeaker/rest';
import { valuesIn } from './values.mjs';

const states = {
  detected: 'New',
  confirmed: 'In Progress',
  dismissed: 'Suppressed',
  resolved: 'Resolved',
};

/** Creation is a time in milliseconds here. */
const valuesOfProject = ({ created_at, ...project }) => [
  ...valuesIn(project),
  String(Date.parse(created_at)),
];

/** GraphQL names a project by fewer fields than REST, and the values of enumerations are words of OCSF here. */
const valuesOfFinding = ({
  created_at,
  updated_at,
  report_type,
  severity,
  state,
  project,
  ...one
}) => [
  ...valuesIn(one, ['severity']),
  ...valuesIn([project.id, project.name, project.path_with_namespace]),
  ...[created_at, updated_at].map((time) => String(Date.parse(time))),
  report_type.toUpperCase(),
  severity[0].toUpperCase() + severity.slice(1),
  states[state],
];

export const gitlabCalls = {
  async appsec_gitlab_mock({ url, credentials: { secret } }) {
    const gitlab = new Gitlab({ host: url, oauthToken: secret });
    const byId = { membership: true, pagination: 'keyset', orderBy: 'id', perPage: 1 };
    const projects = await gitlab.Projects.all(byId);
    const findings = [];
    for (const { id } of projects)
      findings.push(...(await gitlab.ProjectVulnerabilities.all(id, { perPage: 3 })));
    return [
      { operation: 'appsec_query_applications', read: projects.map(valuesOfProject) },
      { operation: 'appsec_query_findings', read: findings.map(valuesOfFinding) },
    ];
  },
};
