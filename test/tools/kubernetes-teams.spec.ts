import { describe, expect, it } from '@jest/globals';
import { servedDomains } from '#contract';
import { foreign, manifestsOf, nameOf, ofKind, podOf } from './manifests.js';
import type { Manifest } from './validate-manifest.js';

interface Rule {
  resources: string[];
  resourceNames?: string[];
  verbs: string[];
}
interface Binding {
  roleRef: { name: string };
  subjects: { kind: string; name: string }[];
}

describe('the overlay per-team', () => {
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
      ...['gateway', 'management', 'nats', 'operations'],
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
      expect(secrets).toEqual([...(isGateway ? [] : ['onefold-key']), 'onefold-bus-key']);
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
