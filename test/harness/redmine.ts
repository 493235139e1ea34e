import { randomBytes } from 'node:crypto';

/** A running Redmine, or the reason why none is available. */
export type Redmine = { url: string; apiKey: string } | { skipped: string };

/** A Redmine project of a single test, with the administrator as a member to whom issues can be assigned. */
export interface RedmineProject {
  identifier: string;
  drop: () => Promise<void>;
}

/**
 * Returns the Redmine of REDMINE_URL and REDMINE_API_KEY (the key of an administrator, with the REST API enabled; Debian has the
 * packages `redmine redmine-sqlite puma`). Specs that need it are skipped with the reason when it is not available:
 * `const server = redmine(); ('skipped' in server ? describe.skip : describe)(…)`.
 */
export function redmine(): Redmine {
  const url = process.env['REDMINE_URL'];
  const apiKey = process.env['REDMINE_API_KEY'];
  if (url && apiKey) return { url: url.replace(/\/$/, ''), apiKey };
  return { skipped: 'REDMINE_URL and REDMINE_API_KEY are not set' };
}

export async function createRedmineProject(
  server: Exclude<Redmine, { skipped: string }>,
): Promise<RedmineProject> {
  const identifier = `onefold-test-${randomBytes(6).toString('hex')}`;
  const { trackers } = await request<{ trackers: { id: number }[] }>(server, 'GET', 'trackers');
  const { user } = await request<{ user: { id: number } }>(server, 'GET', 'users/current');
  const { roles } = await request<{ roles: { id: number }[] }>(server, 'GET', 'roles');
  if (trackers.length === 0 || roles.length === 0)
    throw new Error(`${server.url} has no trackers or roles: load Redmine's default data`);
  await request(server, 'POST', 'projects', {
    project: {
      name: `Onefold test ${identifier.slice(-4)}`,
      identifier,
      tracker_ids: trackers.map(({ id }) => id),
      enabled_module_names: ['issue_tracking'],
    },
  });
  await request(server, 'POST', `projects/${identifier}/memberships`, {
    membership: { user_id: user.id, role_ids: [roles[0]?.id] },
  });
  return {
    identifier,
    drop: () => request(server, 'DELETE', `projects/${identifier}`).then(() => undefined),
  };
}

async function request<T>(
  { url, apiKey }: Exclude<Redmine, { skipped: string }>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${url}/${path}.json`, {
    method,
    headers: { 'x-redmine-api-key': apiKey, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Redmine: ${method} ${path}: ${response.status} ${text}`);
  return (text.trim() === '' ? undefined : JSON.parse(text)) as T;
}
