import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { parseAllDocuments } from 'yaml';
import { servedDomains } from '#contract';
import { createTestDatabase } from '#test/harness';
import { describeOverlays, foreign, manifestsOf, nameOf, ofKind, podOf } from './manifests.js';
import { type Manifest, validateManifest } from './validate-manifest.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Rule {
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}
interface Binding {
  roleRef: { name: string };
  subjects: { kind: string; name: string }[];
}

describeOverlays('the overlay per-team', () => {
  const manifests = manifestsOf('per-team');
  const namespaces = ofKind(manifests, 'Namespace').map(nameOf);
  const within = (namespace: string, ...kinds: string[]) =>
    ofKind(manifests, ...kinds).filter(({ metadata }) => metadata.namespace === namespace);
  const teams = namespaces.filter((name) => name !== 'onefold');
  const domainOf = (one: Manifest) => nameOf(one).replace(/^connector-/, '');

  it('gives each domain to one team, and everything else to a namespace of its own', () => {
    const domains = teams.flatMap((team) => within(team, 'Deployment').map(domainOf));
    expect(domains.sort()).toEqual([...servedDomains].sort());
    expect(teams.length).toBeGreaterThan(1);
    expect(within('onefold', 'Deployment').map(nameOf)).toEqual([
      'gateway',
      'management',
      'nats',
      'operations',
    ]);
    for (const { kind, metadata } of manifests)
      if (kind !== 'Namespace') expect(namespaces).toContain(metadata.namespace);
  });

  it('lets a team change its Deployments and its key, and read no other Secret', () => {
    for (const team of teams) {
      const [role, ...moreRoles] = within(team, 'Role') as (Manifest & { rules: Rule[] })[];
      const [binding, ...more] = within(team, 'RoleBinding') as (Manifest & Binding)[];
      expect([...moreRoles, ...more]).toEqual([]);
      expect(binding?.roleRef.name).toBe(role && nameOf(role));
      expect(binding?.subjects.map(({ kind, name }) => [kind, name])).toEqual([['Group', team]]);
      const rules = role?.rules ?? [];
      const changes = rules.filter(
        ({ resources, verbs }) => resources.includes('deployments') && verbs.includes('patch'),
      );
      expect(changes.map(({ resourceNames }) => resourceNames)).toEqual([
        expect.arrayContaining(within(team, 'Deployment').map(nameOf)),
      ]);
      const secrets = rules.filter(({ resources }) => resources.includes('secrets'));
      expect(secrets.map(({ resourceNames }) => resourceNames)).toEqual([['onefold-key']]);
      for (const { resources, verbs } of rules)
        expect(JSON.stringify([resources, verbs])).not.toMatch(/\*|roles|escalate|create/);
    }
  });

  it('gives every process the key of the bus, the gateway no other, and teams no setting to use more', () => {
    for (const one of ofKind(manifests, 'Deployment').filter(
      (deployment) => !foreign.includes(nameOf(deployment)),
    )) {
      const { containers, volumes = [] } = podOf(one).spec;
      const env = (containers[0]?.env ?? []).map(({ name }) => name);
      const secrets = volumes.flatMap(({ secret }) => secret?.secretName ?? []);
      const isGateway = nameOf(one) === 'gateway';
      expect(env).toContain('BUS_KEY_FILE');
      expect(env.includes('KEY_FILE')).toBe(!isGateway);
      expect(secrets).toEqual([
        ...(isGateway ? [] : ['onefold-key', 'onefold-postgres-ca']),
        'onefold-bus-key',
      ]);
    }
    const [settingsOfAll] = within('onefold', 'ConfigMap').filter((one) =>
      nameOf(one).startsWith('onefold-settings'),
    );
    expect(settingsOfAll?.data).toMatchObject({ DOMAIN_KEYS: 'on' });
  });

  it('denies in each namespace what no policy allows', () => {
    for (const namespace of namespaces) {
      const closed = within(namespace, 'NetworkPolicy').filter((one) => nameOf(one) === 'onefold');
      expect(closed.map(({ spec }) => spec)).toEqual([
        {
          podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'onefold' } },
          policyTypes: ['Ingress', 'Egress'],
        },
      ]);
    }
  });
});

describeOverlays('the Secrets of teams', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-teams-'));
  const tool = (name: string, ...args: string[]) =>
    execFileSync(process.execPath, [`tools/${name}.mjs`, ...args], { cwd: root, encoding: 'utf8' });
  const secretsIn = (file: string) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
      (one) => one.toJS() as Manifest & { stringData: Record<string, string> },
    );
  const manifests = manifestsOf('per-team');
  const teams = ofKind(manifests, 'Namespace')
    .map(nameOf)
    .filter((name) => name !== 'onefold');

  beforeAll(() => {
    const urls = ['postgres://o:1@db/onefold', 'postgres://s:2@db/onefold'];
    writeFileSync(join(folder, 'secrets.yaml'), tool('deploy-secrets', ...urls));
    tool('deploy-team-secrets', join(folder, 'secrets.yaml'), folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are those that its Deployments read, with the passwords that NATS has, and no others', async () => {
    const all = Object.fromEntries(secretsIn('secrets.yaml').map((one) => [nameOf(one), one]));
    for (const team of teams) {
      const own = secretsIn(`${team}.yaml`);
      for (const one of own) {
        expect(await validateManifest(one)).toEqual([]);
        expect(one.metadata.namespace).toBe(team);
        if (nameOf(one) !== 'onefold-database')
          expect(one.stringData).toEqual(all[nameOf(one)]?.stringData);
      }
      const read = ofKind(manifests, 'Deployment')
        .filter(({ metadata }) => metadata.namespace === team)
        .flatMap((one) => podOf(one).spec.containers.flatMap(({ env = [] }) => env))
        .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
      expect(own.map(nameOf).sort()).toEqual([...new Set(read)].sort());
    }
  });

  it('name a role of the database for each team, which may do what the services may', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(`do $$ begin create role onefold_application nologin;
        exception when duplicate_object then null; end $$`);
      await client.query(readFileSync(join(folder, 'roles.sql'), 'utf8'));
      for (const team of teams) {
        const [secret] = secretsIn(`${team}.yaml`).filter(
          (one) => nameOf(one) === 'onefold-database',
        );
        const { username } = new URL(secret?.stringData['DATABASE_URL'] ?? '');
        const { rows } = await client.query(
          `select pg_has_role($1, 'onefold_application', 'member') as member, rolsuper, rolbypassrls
           from pg_roles where rolname = $1`,
          [username],
        );
        expect(rows).toEqual([{ member: true, rolsuper: false, rolbypassrls: false }]);
      }
    } finally {
      await client.query('rollback');
      await client.end();
      await database.drop();
    }
  });
});
