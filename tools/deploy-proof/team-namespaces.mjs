// The overlay per-team for podman, which has no namespaces: what two namespaces may both have gets the name of its namespace before its own.
// Secrets, keys and roles of the database are made by the commands of docs/operations.md#teams.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { coreNamespace, namespaceOf, teams } from '../deploy/teams.mjs';
import { root } from '../install.mjs';
import { run } from './containers.mjs';

const apart = (namespace, name) =>
  namespace === undefined || namespace === coreNamespace ? name : `${namespace}.${name}`;

/** True if an overlay has namespaces of teams. */
export const hasTeams = (manifests) =>
  manifests.some(({ metadata }) => metadata.labels?.['onefold/team'] !== undefined);

/** Gives ConfigMaps, and what pods say of ConfigMaps and Secrets, names that are those of one namespace. */
export function separateNamespaces(manifests) {
  return manifests.map((manifest) => {
    const copy = JSON.parse(JSON.stringify(manifest));
    const { kind, metadata, spec } = copy;
    const rename = (holder, key) => {
      if (holder !== undefined) holder[key] = apart(metadata.namespace, holder[key]);
    };
    if (kind === 'ConfigMap') rename(metadata, 'name');
    if (kind === 'Deployment') {
      for (const { env = [] } of spec.template.spec.containers)
        for (const { valueFrom } of env) {
          rename(valueFrom?.configMapKeyRef, 'name');
          rename(valueFrom?.secretKeyRef, 'name');
        }
      for (const { configMap, secret } of spec.template.spec.volumes ?? []) {
        rename(configMap, 'name');
        rename(secret, 'secretName');
      }
    }
    return copy;
  });
}

/**
 * Makes what the teams are given. @param secrets what tools/deploy-secrets.mjs made, and the authority of PostgreSQL
 * @returns the Secrets of the teams, and the file with the roles of the database
 */
export async function makeTeams(folder, secrets) {
  const place = (name) => join(folder, name);
  const keyOf = (key, name) => ({ metadata: { name }, stringData: key });
  const whole = secrets.find(({ metadata }) => metadata.name === 'onefold-key').stringData;
  writeFileSync(place('key-encryption.key'), whole['key-encryption.key'], { mode: 0o600 });
  writeFileSync(place('secrets.yaml'), secrets.map((one) => stringify(one)).join('---\n'));
  const env = { ...process.env, KEY_FILE: place('key-encryption.key') };
  const admin = (...args) =>
    run(process.execPath, ['dist/run/apps/admin/src/main.js', ...args], { cwd: root, env });
  await admin('bus-key', '--file', place('bus.key'));
  const busKey = { 'bus.key': readFileSync(place('bus.key'), 'utf8') };
  mkdirSync(place('teams'));
  await run(process.execPath, [
    'tools/deploy-team-secrets.mjs',
    place('secrets.yaml'),
    place('teams'),
  ]);
  const authority = secrets.find(({ metadata }) => metadata.name === 'onefold-postgres-ca');
  const all = [keyOf(busKey, 'onefold-bus-key')];
  for (const [team, domains] of Object.entries(teams)) {
    const namespace = namespaceOf(team);
    await admin('domain-key', '--domains', domains.join(','), '--file', place(`${team}.key`));
    const own = { 'key-encryption.key': readFileSync(place(`${team}.key`), 'utf8') };
    all.push(keyOf(own, apart(namespace, 'onefold-key')));
    all.push(keyOf(busKey, apart(namespace, 'onefold-bus-key')));
    all.push(keyOf(authority.stringData, apart(namespace, 'onefold-postgres-ca')));
    for (const document of parseAllDocuments(
      readFileSync(place(`teams/${namespace}.yaml`), 'utf8'),
    )) {
      const secret = document.toJS();
      all.push(keyOf(secret.stringData, apart(namespace, secret.metadata.name)));
    }
  }
  const unknown = readdirSync(place('teams')).filter(
    (name) =>
      name !== 'roles.sql' && !Object.keys(teams).map(namespaceOf).includes(name.slice(0, -5)),
  );
  if (unknown.length > 0) throw new Error(`Secrets of no team: ${unknown.join(', ')}`);
  return { secrets: all, roles: place('teams/roles.sql') };
}

/**
 * Checks what keeps teams apart: each uses its own role of the database, and a connector with the key of another team does not start.
 * @param runPod runs a pod to its end, and throws with what it printed if it fails @param query asks the database
 * @returns a line about it
 */
export async function checkTeams({ deployments, runPod, query }) {
  const roles = Object.keys(teams).map((team) => `onefold_team_${team.replaceAll('-', '_')}`);
  const used = await query(
    "select string_agg(distinct usename, ',') from pg_stat_activity where usename like 'onefold_team_%'",
  );
  const unused = roles.filter((role) => !used.trim().split(',').includes(role));
  if (unused.length > 0) throw new Error(`no connector uses the role ${unused.join(', ')}`);
  const names = Object.keys(teams);
  for (const [index, team] of names.entries()) {
    const other = names[(index + 1) % names.length];
    const domain = teams[team][0];
    const pod = JSON.parse(
      JSON.stringify(deployments.find(({ metadata }) => metadata.name === `connector-${domain}`)),
    );
    pod.metadata.name = `connector-${domain}-foreign`;
    const key = pod.spec.template.spec.volumes.find(({ name }) => name === 'key');
    key.secret.secretName = apart(namespaceOf(other), 'onefold-key');
    const refused = await runPod(pod).then(
      () => '',
      (error) => error.message,
    );
    // The process names the domain that its key file has no key of.
    if (!refused.includes(`key of the domain ${domain}`))
      throw new Error(`connector-${domain} with the key of ${other} is not refused: ${refused}`);
  }
  return `${roles.length} teams with roles and keys of their own, a connector with the key of another team is refused`;
}
