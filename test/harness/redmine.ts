/** A Redmine that somebody runs, or why there is none. */
export type Redmine = { url: string; apiKey: string } | { skipped: string };

/**
 * The Redmine of REDMINE_URL and REDMINE_API_KEY (an administrator's, with the REST API enabled; Debian has the packages
 * `redmine redmine-sqlite puma`). Specs that are about it say why they are skipped when there is none:
 * `const server = redmine(); ('skipped' in server ? describe.skip : describe)(…)`.
 */
export function redmine(): Redmine {
  const url = process.env['REDMINE_URL'];
  const apiKey = process.env['REDMINE_API_KEY'];
  if (url && apiKey) return { url: url.replace(/\/$/, ''), apiKey };
  return { skipped: 'REDMINE_URL and REDMINE_API_KEY name no Redmine' };
}
