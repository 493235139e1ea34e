import { expect, it } from '@jest/globals';
import {
  appOf,
  describeOverlays,
  hasConsole,
  isSelected,
  manifestsOf,
  nameOf,
  ofKind,
  overlays,
  podOf,
  read,
  workloadsOf,
} from './manifests.js';
import type { Manifest } from './validate-manifest.js';

// The network policies of the overlays are the rows of the table of connections in docs/architecture.md.

function everyoneIn(overlay: string): string[] {
  const all = ['gateway', 'management', 'connector', 'operations'];
  return hasConsole(overlay) ? [...all, 'console'] : all;
}
const withKeys = ['management', 'connector', 'operations', 'migrate'];
/** The port at which an overlay reaches its key service, and what says there who a process is: annotations, labels and variables. */
const keyServices: Record<string, { port: string; proofs: string[] }> = {
  'small-with-aws-kms': { port: '443', proofs: ['eks.amazonaws.com/role-arn'] },
  'small-with-azure-key-vault': {
    port: '443',
    proofs: ['azure.workload.identity/client-id', 'azure.workload.identity/use'],
  },
  'small-with-vault': { port: '8200', proofs: ['VAULT_TOKEN_FILE'] },
};
const allProofs = Object.values(keyServices).flatMap(({ proofs }) => proofs);

describeOverlays('the network policies of overlays', () => {
  it.each(overlays)('of %s open the connections of the architecture and no others', (overlay) => {
    expect(arrowsOf(manifestsOf(overlay), overlay)).toEqual(arrowsOfArchitecture(overlay));
  });

  it.each(Object.entries(keyServices))(
    'in %s all but the gateway have the key file, and what the key service asks for',
    (overlay, { proofs }) => {
      const manifests = manifestsOf(overlay);
      for (const one of ofKind(manifests, 'Deployment').filter((two) => nameOf(two) !== 'nats')) {
        const { metadata, spec } = podOf(one);
        const variables = (spec.containers[0]?.env ?? []).map(({ name }) => name);
        const account = ofKind(manifests, 'ServiceAccount').find(
          (two) => nameOf(two) === nameOf(one),
        )?.metadata;
        const names = [
          ...Object.keys(account?.annotations ?? {}),
          ...Object.keys(metadata.labels),
          ...variables,
        ];
        const hasKeys = nameOf(one) !== 'gateway';
        expect(variables).toContain('BUS_KEY_FILE');
        expect(variables.includes('KEY_FILE')).toBe(hasKeys);
        expect(names.filter((name) => allProofs.includes(name))).toEqual(hasKeys ? proofs : []);
      }
    },
  );
});

/** The rows of the table of connections, `gateway > NATS 4222`. */
function arrowsOfArchitecture(overlay: string): string[] {
  const table =
    read('docs/architecture.md').split('\n## Connections\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| (\S[^|]*?) +\| (\S[^|]*?) +\| (\S*) +\|/gm)].slice(2);
  const spread = (name: string, others: string[]) =>
    ({ 'every one': others, 'those with keys': withKeys })[name] ?? [name];
  const everyone = everyoneIn(overlay);
  return rows
    .filter(([, , to]) => to !== 'console' || hasConsole(overlay))
    .filter(([, from]) => from !== 'NATS' || overlay.endsWith('-nats-cluster'))
    .filter(([, , to, port]) => to !== 'the key service' || port === keyServices[overlay]?.port)
    .filter(([, , to]) => to !== 'the collector' || overlay.endsWith('-with-telemetry'))
    .filter(([, , to]) => to !== 'the mail server' || overlay.endsWith('-with-mail'))
    .flatMap(([, from = '', to = '', port = '']) =>
      spread(from, [...everyone, 'migrate']).flatMap((one) =>
        spread(to, everyone).map((other) => `${one} > ${other} ${port}`),
      ),
    )
    .sort();
}

const portOf = (rule: { ports?: { port: number }[] }) => rule.ports?.[0]?.port;
const selectedBy = ({ spec }: Manifest, manifests: Manifest[]) =>
  workloadsOf(manifests).filter((one) =>
    isSelected(podOf(one).metadata.labels, spec.podSelector?.matchLabels),
  );

/** The connections that the network policies allow, in the words of the table. */
function arrowsOf(manifests: Manifest[], overlay: string): string[] {
  const arrows = ofKind(manifests, 'NetworkPolicy').flatMap((policy) => {
    if (nameOf(policy) === 'opentelemetry-collector') return [];
    if (nameOf(policy) === 'onefold-telemetry')
      return [...everyoneIn(overlay), 'migrate'].map((name) => `${name} > the collector 4318`);
    if (nameOf(policy) === 'onefold-mail')
      return selectedBy(policy, manifests).map(
        (one) => `${nameOf(one)} > the mail server ${portOf(policy.spec.egress?.[1] ?? {})}`,
      );
    if (nameOf(policy) === 'onefold-key-service') {
      const names = selectedBy(policy, manifests).map((one) => appOf(nameOf(one)));
      return names.map(
        (one) =>
          `${one.replace('admin', 'migrate')} > the key service ${portOf(policy.spec.egress?.[1] ?? {})}`,
      );
    }
    const name = appOf(nameOf(policy)).replace('admin', 'migrate');
    const into = (policy.spec.ingress ?? []).map((rule) => {
      const port = portOf(rule);
      if (name === 'nats')
        return port === 4222 ? `${JSON.stringify(rule.from)} 4222` : `NATS > NATS ${port}`;
      return `${port === 9464 ? 'Prometheus' : 'clients'} > ${name} ${port}`;
    });
    const out = (policy.spec.egress ?? []).map((rule) => {
      const port = portOf(rule);
      if (rule.to?.some((one) => 'ipBlock' in one)) return `${name} > the outside public`;
      const target = { 53: 'DNS', 4222: 'NATS', 5432: 'PostgreSQL', 6222: 'NATS' }[port ?? 0];
      return `${name.replace('nats', 'NATS')} > ${target} ${port}`;
    });
    return [...into, ...out];
  });
  const part = '"matchLabels":{"app.kubernetes.io/part-of":"onefold"}';
  const others = overlay === 'per-team' ? `"namespaceSelector":{${part}},` : '';
  const toNats = `[{${others}"podSelector":{${part}}}] 4222`;
  expect(arrows).toContain(toNats);
  return [...new Set(arrows.filter((arrow) => arrow !== toNats))].sort();
}
