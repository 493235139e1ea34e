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

/** Sends a request to a Redmine, and returns the body of its response. @throws Error unless it is a success */
export type SendToRedmine = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<string>;

/** @param send the way to a Redmine that this process does not reach */
export async function createRedmineProject(
  server: Exclude<Redmine, { skipped: string }>,
  send: SendToRedmine = sendFromHere,
): Promise<RedmineProject> {
  const request = <T>(method: string, path: string, body?: object) =>
    ask<T>(server, send, { method, path, body });
  const identifier = `onefold-test-${randomBytes(6).toString('hex')}`;
  const { trackers } = await request<{ trackers: { id: number }[] }>('GET', 'trackers');
  const { user } = await request<{ user: { id: number } }>('GET', 'users/current');
  const { roles } = await request<{ roles: { id: number }[] }>('GET', 'roles');
  if (trackers.length === 0 || roles.length === 0)
    throw new Error(`${server.url} has no trackers or roles: load Redmine's default data`);
  await request('POST', 'projects', {
    project: {
      name: `Onefold test ${identifier.slice(-4)}`,
      identifier,
      tracker_ids: trackers.map(({ id }) => id),
      enabled_module_names: ['issue_tracking'],
    },
  });
  await request('POST', `projects/${identifier}/memberships`, {
    membership: { user_id: user.id, role_ids: [roles[0]?.id] },
  });
  return {
    identifier,
    drop: () => request('DELETE', `projects/${identifier}`).then(() => undefined),
  };
}

async function ask<T>(
  { url, apiKey }: Exclude<Redmine, { skipped: string }>,
  send: SendToRedmine,
  { method, path, body }: { method: string; path: string; body: object | undefined },
): Promise<T> {
  const text = await send(`${url}/${path}.json`, {
    method,
    headers: { 'x-redmine-api-key': apiKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (text.trim() === '' ? undefined : JSON.parse(text)) as T;
}

async function sendFromHere(...[url, init]: Parameters<SendToRedmine>): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Redmine: ${init.method} ${url}: ${response.status} ${text}`);
  return text;
}
