// Writes the Secrets of each team of the overlay per-team, and the database roles that they name:
//   node tools/deploy-team-secrets.mjs secrets.yaml FOLDER
// secrets.yaml is what tools/deploy-secrets.mjs printed. FOLDER gets roles.sql, to be run by a superuser of the database, and a file for each
// namespace with the passwords of NATS of the team's own domains and its own role of the database. A run writes other passwords of the
// database; the keys are not in it (docs/operations.md#teams).
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { namespaceOf, teams } from './deploy/teams.mjs';

const [file, folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error(
    'Say the file of all Secrets and a folder: node tools/deploy-team-secrets.mjs secrets.yaml FOLDER',
  );
  process.exit(2);
}
const secrets = Object.fromEntries(
  parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS())
    .map((secret) => [secret.metadata.name, secret]),
);

/** Returns a Secret of the file. @throws Error if it is missing */
function secretNamed(name) {
  if (secrets[name] === undefined)
    throw new Error(
      `${file} has no Secret ${name}. Print it again by tools/deploy-secrets.mjs of this version, and keep its key and passwords.`,
    );
  return secrets[name];
}

const roleOf = (team) => `onefold_team_${team.replaceAll('-', '_')}`;
const inNamespace = (secret, team) => ({
  ...secret,
  metadata: { ...secret.metadata, namespace: namespaceOf(team) },
});

const statements = ['-- The role of each team of Onefold; each may do what the services may.'];
const files = Object.entries(teams).map(([team, domains]) => {
  const password = randomBytes(24).toString('hex');
  statements.push(
    `create role ${roleOf(team)} login password '${password}' in role onefold_application;`,
  );
  const database = secretNamed('onefold-database');
  const url = new URL(database.stringData.DATABASE_URL);
  Object.assign(url, { username: roleOf(team), password });
  const own = [
    { ...database, stringData: { DATABASE_URL: url.href } },
    ...domains.map((domain) => secretNamed(`onefold-nats-connector-${domain}`)),
  ];
  return [
    `${namespaceOf(team)}.yaml`,
    own.map((secret) => stringify(inNamespace(secret, team))).join('---\n'),
  ];
});
mkdirSync(folder, { recursive: true });
for (const [name, text] of [...files, ['roles.sql', `${statements.join('\n')}\n`]])
  writeFileSync(join(folder, name), text, { mode: 0o600 });
console.log(`Wrote ${files.map(([name]) => name).join(', ')} and roles.sql to ${folder}.`);
