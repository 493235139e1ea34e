// Prints the Secrets that the manifests of deploy/kubernetes name, with new passwords of NATS and a new key-encryption key:
//   node tools/deploy-secrets.mjs OWNER_URL SERVICE_URL | kubectl -n onefold create -f -
// OWNER_URL is the database as the owner of its tables, SERVICE_URL as the plain role of the services. It prints other values at each
// run: keep what was applied, above all the key, without which the stored credentials cannot be read.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { addressesOfServers } from './deploy/nats-server.mjs';
import { roles } from './deploy/nats.mjs';

/** Returns the Secrets as YAML. @param owner, service addresses of the database */
export function secretsOf(owner, service) {
  const secret = (name, stringData) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'onefold' } },
    type: 'Opaque',
    stringData,
  });
  const secrets = [
    secret('onefold-key', { 'key-encryption.key': `${randomBytes(32).toString('base64')}\n` }),
    secret('onefold-database-owner', { DATABASE_URL: owner }),
    secret('onefold-database', { DATABASE_URL: service }),
    ...roles.map((role) => secret(`onefold-nats-${role}`, { NATS_PASSWORD: newPassword() })),
    secret('onefold-nats-cluster', { 'routes.conf': routes() }),
  ];
  return secrets.map((one) => stringify(one)).join('---\n');
}

/** The letter keeps nats-server from reading a number. */
const newPassword = () => `p${randomBytes(24).toString('hex')}`;

/** Returns how the servers of the component nats-cluster reach and recognize each other, as a part of nats-server's configuration. */
function routes() {
  const password = newPassword();
  return [
    `authorization { user: server, password: ${password}, timeout: 5 }`,
    'routes: [',
    ...addressesOfServers.map((address) => `  "nats://server:${password}@${address}"`),
    ']\n',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [owner = '', service = '', ...others] = process.argv.slice(2);
  if (
    others.length > 0 ||
    ![owner, service].every((url) => /^postgres(?:ql)?:\/\/[^:]+:.+@/.test(url))
  ) {
    console.error(
      'Say two addresses of the database, with user and password: node tools/deploy-secrets.mjs postgres://onefold_owner:…@host/onefold postgres://onefold_service:…@host/onefold',
    );
    process.exit(2);
  }
  process.stdout.write(secretsOf(owner, service));
}
