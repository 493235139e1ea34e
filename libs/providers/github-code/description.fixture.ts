/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- A description is JSON of any shape. */
import { sharedDescription } from '#test/harness';

/** Pictures are at a public address of another host. */
export const undescribed = / \/u\/\d+ is not in/;

// The cut has neither memberships, nor the audit log, which is described for Enterprise Cloud apart, nor single alerts of these kinds.
export const description = sharedDescription('github.json', {}, ({ paths }) => {
  const any = { content: { 'application/json': { schema: {} } } };
  const responses = { 200: any, 404: any };
  const query = ['phrase', 'include', 'order', 'per_page', 'after'].map((name) => ({
    name,
    in: 'query',
    required: false,
    schema: { type: 'string' },
  }));
  const path = (...names: string[]) =>
    names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const get = (parameters: object[]) => ({ get: { parameters, responses } });
  paths['/orgs/{org}/memberships/{username}'] = get(path('org', 'username'));
  paths['/orgs/{org}/audit-log'] = get([...path('org'), ...query]);
  for (const [kind, schema] of [
    ['dependabot', 'dependabot-alert'],
    ['secret-scanning', 'secret-scanning-alert'],
  ]) {
    const { get: list } = paths[`/repos/{owner}/{repo}/${kind}/alerts`];
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
    paths[`/repos/{owner}/{repo}/${kind}/alerts/{alert_number}`] = {
      get: { ...list, responses: { ...list.responses, 200: { content } } },
    };
  }
});
