// The calls of the client of GitLab, which follows the pages of lists itself. Findings are not among them: it has none by GraphQL.
import { Gitlab } from '@gitbeaker/rest';

export const gitlabCalls = {
  async appsec_gitlab_mock({ url, credentials: { secret } }) {
    const gitlab = new Gitlab({ host: url, oauthToken: secret });
    const byId = { membership: true, pagination: 'keyset', orderBy: 'id', perPage: 2 };
    const projects = await gitlab.Projects.all(byId);
    return [
      {
        operation: 'appsec_query_applications',
        read: projects.map(({ id, name }) => [String(id), name]),
      },
    ];
  },
};
