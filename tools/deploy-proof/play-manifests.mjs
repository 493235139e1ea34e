// Plays the rendered manifests of an overlay by podman, with a PostgreSQL beside them, and calls every domain.
// podman is not a cluster. It runs pods with their settings, Secrets, ConfigMaps, users and read-only file systems; it knows no Service, Job,
// NetworkPolicy, autoscaler and probe. Here a Service is an alias in a network, a Job is a pod, and the paths of the probes are asked.
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { smoke } from '../../deploy/smoke.mjs';
import { renderOverlay } from '../deploy/render.mjs';
import { secretsOf } from '../deploy-secrets.mjs';
import { firstMatch } from '../first-match.mjs';
import { root } from '../install.mjs';
import { makeCertificate } from './certificates.mjs';
import { waitUntilReady } from './compose-service.mjs';
import { killServers, podsOf } from './nats-servers.mjs';
import { checkTelemetry, isCollector, receiverInstead } from './telemetry-receiver.mjs';
import { checkTeams, hasTeams, makeTeams, separateNamespaces } from './team-namespaces.mjs';

const network = 'onefold-kube';
const database = `${network}-postgres`;
const passwords = { owner: 'owner-password', service: 'service-password' };
/** The certificate of PostgreSQL is checked with the authority in the Secret onefold-postgres-ca. */
const urlOf = (role) =>
  `postgres://onefold_${role}:${passwords[role]}@postgres:5432/onefold?sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt`;
const postgresFiles = `${network}-postgres-tls`;
const read = (text) => parseAllDocuments(text).map((one) => one.toJS());

/** @returns a line about it @throws Error unless every domain of the overlay answers */
export async function playManifests({ containers, overlay }) {
  const { podman } = containers;
  const folder = mkdtempSync(join(tmpdir(), 'onefold-kube-'));
  const rendered = read(renderOverlay(overlay));
  const ofTeams = hasTeams(rendered);
  const manifests = ofTeams ? separateNamespaces(rendered) : rendered;
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const servers = manifests.filter(({ kind }) => kind === 'StatefulSet').flatMap(podsOf);
  const settings = manifests
    .filter(({ kind }) => kind === 'ConfigMap')
    .map((one) => {
      const file = join(folder, `${one.metadata.name}.yaml`); // podman reads one from a file
      writeFileSync(file, textOf(one));
      return `--configmap=${file}`;
    });
  const common = read(secretsOf(urlOf('owner'), urlOf('service')));
  const certificate = makeCertificate('postgres');
  const secrets = [
    ...common,
    secretOf('onefold-postgres-ca', { 'ca.crt': certificate['ca.crt'] }),
    secretOf('onefold-nats-tls', makeCertificate('nats', 'nats.onefold', '*.nats-cluster')),
  ];
  const played = [];

  /** Starts the pods of a manifest. @returns the address of the first */
  async function play({ aliases: more = [], ...manifest }) {
    const { name } = manifest.metadata;
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, textOf(playable(manifest)));
    played.push(file);
    const aliases = [name, `${name}.${manifest.metadata.namespace ?? 'onefold'}`, ...more]
      .map((alias) => `alias=${alias}`)
      .join(',');
    await podman('play', 'kube', '--network', `${network}:${aliases}`, ...settings, file);
    return await containers.addressOfPod(manifest.kind === 'Deployment' ? `${name}-pod-0` : name);
  }

  /** Runs the pod of a Job to its end. @returns what it printed @throws Error if it fails */
  async function runJob({ metadata, spec }) {
    const { name } = metadata;
    const [container] = spec.template.spec.containers;
    await play({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { ...spec.template.spec, restartPolicy: 'Never' },
    });
    const code = (await podman('wait', `${name}-${container.name}`)).trim();
    const said = await containers.logsOf(`${name}-${container.name}`);
    if (code !== '0') throw new Error(`the Job ${name} ended with ${code}: ${said}`);
    return said;
  }

  try {
    const made = ofTeams ? await makeTeams(folder, secrets) : { secrets: [] };
    secrets.push(...made.secrets);
    await clean(containers, secrets);
    await podman('network', 'create', network);
    for (const secret of secrets) await makeSecret(podman, folder, secret);
    await startPostgres(podman, certificate, made.roles);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    await podman('tag', 'docker.io/library/onefold', `docker.io/library/onefold:${version}`);
    await runJob(manifests.find(({ kind }) => kind === 'Job'));
    const [tokenJob] = read(readFileSync(join(root, 'deploy/kubernetes/token.yaml'), 'utf8'));
    const token = firstMatch(/ofo_\S+/, await runJob(tokenJob));
    const isNats = ({ metadata }) => metadata.name === 'nats';
    const natsPods = servers.length > 0 ? servers : deployments.filter(isNats);
    for (const pod of natsPods) await waitUntilReady(await play(pod), 8222, '/healthz');
    const collector = deployments.find(isCollector);
    const receiver =
      collector && (await play(receiverInstead(collector, `docker.io/library/onefold:${version}`)));
    const addresses = {};
    for (const one of deployments.filter((other) => !isNats(other) && !isCollector(other)))
      addresses[one.metadata.name] = await play(one);
    for (const address of Object.values(addresses)) await waitUntilReady(address);
    const gateway = `http://${addresses.gateway}:8080`;
    const smokeTest = async () => {
      const lines = [];
      const failures = await smoke(gateway, token, (line) => lines.push(line));
      if (failures.length > 0) throw new Error(`${overlay}: ${failures.join('\n')}`);
      return `${lines.length} of ${lines.length} domains answered`;
    };
    const query = (sql) => podman('exec', database, ...psql, '-tAc', sql);
    const answered = `${deployments.length} Deployments, ${await smokeTest()}, ${await checkEncrypted(query)}`;
    if (servers.length > 0) {
      const killed = await killServers({
        containers,
        servers: servers.map(({ metadata }) => metadata.name),
        gateway,
        token,
      });
      return `${answered}; ${servers.length} servers of NATS, ${killed}; behind it ${await smokeTest()}`;
    }
    if (receiver !== undefined)
      return `${answered}; ${await checkTelemetry(receiver, addresses, token)}`;
    if (!ofTeams) return answered;
    return `${answered}; ${await checkTeams({ deployments, runPod: runJob, query })}`;
  } finally {
    for (const file of played.toReversed()) await podman('play', 'kube', '--down', file);
    await clean(containers, secrets);
    rmSync(folder, { recursive: true });
  }
}

/** @returns a line about the connections of the services @throws Error unless all use TLS */
async function checkEncrypted(query) {
  const [encrypted, plain] = (
    await query(
      "select count(*) filter (where ssl), count(*) filter (where not ssl) from pg_stat_ssl join pg_stat_activity using (pid) where usename like 'onefold_%'",
    )
  )
    .trim()
    .split('|')
    .map(Number);
  if (encrypted === 0 || plain > 0)
    throw new Error(`${plain} of ${encrypted + plain} connections to PostgreSQL are not encrypted`);
  return `${encrypted} connections to PostgreSQL by TLS`;
}

const secretOf = (name, stringData) => ({ metadata: { name }, stringData });
const psql = ['psql', '-U', 'postgres', '-d', 'onefold', '-v', 'ON_ERROR_STOP=1'];
const textOf = (document) => stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });

/**
 * Returns a manifest without what podman 4.3 does otherwise: probes at named ports, ports that it would open on this machine, and files of
 * Secrets, which it gives to everybody.
 */
function playable(manifest) {
  const copy = JSON.parse(JSON.stringify(manifest));
  const { spec } = copy.kind === 'Pod' ? copy : copy.spec.template;
  for (const container of spec.containers)
    for (const key of ['startupProbe', 'livenessProbe', 'readinessProbe', 'ports'])
      delete container[key];
  spec.volumes = spec.volumes?.map(({ name, secret, ...other }) =>
    secret === undefined
      ? { name, ...other }
      : { name, persistentVolumeClaim: { claimName: secret.secretName } },
  );
  return copy;
}

/** Makes a Secret for variables, as podman reads them, and a volume with its files as Kubernetes gives them to the group of a pod. */
async function makeSecret(podman, folder, { metadata: { name }, stringData }) {
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  const file = join(folder, 'secret');
  writeFileSync(file, JSON.stringify(Object.fromEntries(encoded)), { mode: 0o600 });
  await podman('secret', 'create', name, file);
  await makeVolume(podman, name, stringData, { mode: 0o440, user: 0, group: 1000 });
}

async function makeVolume(podman, name, files, { mode, user, group }) {
  await podman('volume', 'create', name);
  const place = (await podman('volume', 'inspect', '--format', '{{.Mountpoint}}', name)).trim();
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(place, file), text, { mode });
    chownSync(join(place, file), user, group);
  }
}

/** @param certificate its files @param teamRoles a file of statements that make further roles, if there are any */
async function startPostgres(podman, certificate, teamRoles) {
  const settings = {
    POSTGRES_PASSWORD: 'postgres-password',
    POSTGRES_DB: 'onefold',
    ONEFOLD_OWNER_PASSWORD: passwords.owner,
    ONEFOLD_SERVICE_PASSWORD: passwords.service,
    POSTGRES_USER: 'postgres',
  };
  await makeVolume(podman, postgresFiles, certificate, { mode: 0o600, user: 70, group: 70 });
  const roles = `${join(root, 'deploy/postgres-roles.sh')}:/docker-entrypoint-initdb.d/roles.sh:ro`;
  await podman(
    'run',
    '-d',
    '--name',
    database,
    '--network',
    `${network}:alias=postgres`,
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--volume',
    roles,
    '--volume',
    `${postgresFiles}:/tls:ro`,
    'docker.io/library/postgres:18-alpine',
    'postgres',
    '-c',
    'ssl=on',
    '-c',
    'ssl_cert_file=/tls/tls.crt',
    '-c',
    'ssl_key_file=/tls/tls.key',
  );
  // The first server, of the time in which the database is made, does not listen on TCP. Only the second answers here.
  const ready = 'until pg_isready -q -h 127.0.0.1 -U postgres -d onefold; do sleep 0.2; done';
  await podman('exec', database, 'timeout', '120', 'sh', '-c', ready);
  if (teamRoles === undefined) return;
  await podman('cp', teamRoles, `${database}:/tmp/roles.sql`);
  await podman('exec', database, ...psql, '-f', '/tmp/roles.sql');
}

/** Removes what an earlier run may have left. */
async function clean({ podman }, secrets) {
  await podman('rm', '-f', '--ignore', '--volumes', database);
  const known = (await podman('secret', 'ls', '--format', '{{.Name}}')).split('\n');
  for (const { metadata } of secrets)
    if (known.includes(metadata.name)) await podman('secret', 'rm', metadata.name);
  const volumes = (await podman('volume', 'ls', '-q')).split('\n');
  const names = secrets.map(({ metadata }) => metadata.name);
  for (const volume of volumes)
    if (
      names.includes(volume) ||
      volume.startsWith('onefold-nats-') ||
      ['tmp', postgresFiles].includes(volume)
    )
      await podman('volume', 'rm', '-f', volume);
  await podman('network', 'rm', '-f', network);
}
