// The users of NATS for docker-compose.yml and Kubernetes.
import { passwordVariable } from '#bus';
import { servedDomains } from '#contract';

const { printNatsPermissions } = await import('../../dist/apps/admin/src/nats-users.js');

/** The kinds of processes that log on, as `admin -- nats-permissions` prints them. */
export const roles = [
  'gateway',
  'management',
  'operations',
  'connector',
  ...servedDomains.map((domain) => `connector-${domain}`),
  'standalone',
];

/** Returns the file of users and permissions. */
export function natsUsers() {
  return `# Written by node tools/deploy.mjs: npm run -s admin -- nats-permissions\n${printNatsPermissions([], roles.join(','))}`;
}

/** The variable of nats-server's environment with the password of a role. */
export const passwordOf = passwordVariable;
