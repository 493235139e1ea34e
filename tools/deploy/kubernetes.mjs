// The files of deploy/kubernetes: base, a component for each kind of connector and for NATS, overlays.
import { stringify } from 'yaml';
import { natsUsers, passwordOf, roles } from './nats.mjs';
import {
  labelsOf,
  migrateJob,
  networkPolicy,
  secure,
  securePod,
  serviceAccount,
  workload,
} from './workload-manifests.mjs';
import { connectors, ports, services } from './workloads.mjs';

const note = '# Written by node tools/deploy.mjs; change tools/deploy and run it.\n';
const kustomize = (kind) => ({
  apiVersion: `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`,
  kind,
});

/** Returns the text of each file, by path below deploy/kubernetes. */
export function kubernetesFiles() {
  return {
    ...baseFiles(),
    ...natsFiles(),
    ...Object.assign({}, ...Object.entries(connectors).map(connectorFiles)),
    ...overlayFiles(),
  };
}

function baseFiles() {
  const names = Object.keys(services);
  const denyAll = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'onefold', labels: { 'app.kubernetes.io/part-of': 'onefold' } },
    spec: {
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'onefold' } },
      policyTypes: ['Ingress', 'Egress'],
    },
  };
  return {
    'base/kustomization.yaml': yaml({
      ...kustomize('Kustomization'),
      resources: [...names, 'migrate', 'network'].map((name) => `${name}.yaml`),
      configMapGenerator: [
        {
          name: 'onefold-settings',
          literals: [
            'NATS_URL=nats://nats:4222',
            'PUBLIC_URL=http://localhost:8080',
            'LOG_LEVEL=info',
          ],
        },
      ],
    }),
    ...Object.fromEntries(
      names.map((name) => [`base/${name}.yaml`, yaml(...workload(name, services[name]))]),
    ),
    'base/migrate.yaml': yaml(
      serviceAccount('migrate'),
      migrateJob(),
      networkPolicy('migrate', { connectsTo: ['postgres'], observes: false }),
    ),
    'base/network.yaml': yaml(denyAll),
  };
}

function connectorFiles([name, facts]) {
  return {
    [`components/${name}/kustomization.yaml`]: yaml({
      ...kustomize('Component'),
      resources: [`${name}.yaml`],
    }),
    [`components/${name}/${name}.yaml`]: yaml(...workload(name, facts)),
  };
}

/** One NATS server, for installations that have none. */
function natsFiles() {
  const name = 'nats';
  const labels = labelsOf(name);
  const selector = { 'app.kubernetes.io/name': name };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: securePod,
          terminationGracePeriodSeconds: 60,
          containers: [
            {
              name,
              image: 'nats:2.10-alpine',
              args: ['--config', '/etc/onefold/nats.conf'],
              env: roles.map((role) => ({
                name: passwordOf(role),
                valueFrom: { secretKeyRef: { name: `onefold-nats-${role}`, key: 'NATS_PASSWORD' } },
              })),
              ports: [
                { name: 'nats', containerPort: ports.nats },
                { name: 'health', containerPort: ports.natsHealth },
              ],
              readinessProbe: { httpGet: { path: '/healthz', port: 'health' } },
              livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, failureThreshold: 6 },
              resources: {
                requests: { cpu: '100m', memory: '64Mi' },
                limits: { memory: '512Mi' },
              },
              securityContext: secure,
              volumeMounts: [{ name: 'config', mountPath: '/etc/onefold', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', configMap: { name: 'onefold-nats' } }],
        },
      },
    },
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels },
    spec: { selector, ports: [{ name, port: ports.nats, targetPort: name }] },
  };
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels },
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'onefold' } } }],
          ports: [{ protocol: 'TCP', port: ports.nats }],
        },
      ],
    },
  };
  return {
    'components/nats/users.conf': natsUsers(),
    'components/nats/kustomization.yaml': yaml({
      ...kustomize('Component'),
      resources: ['nats.yaml'],
      configMapGenerator: [{ name: 'onefold-nats', files: ['nats.conf', 'users.conf'] }],
    }),
    'components/nats/nats.yaml': yaml(serviceAccount(name), deployment, service, policy),
  };
}

/** Small: one pod of each process. Per domain: a connector for each domain, which scales by itself. */
function overlayFiles() {
  const overlay = (namespace, components, more = {}) =>
    yaml({
      ...kustomize('Kustomization'),
      namespace,
      resources: ['../../base'],
      components: components.map((name) => `../../components/${name}`),
      ...more,
    });
  const oneConnector = 'connector';
  const perDomain = Object.keys(connectors).filter((name) => name !== oneConnector);
  const withoutScaling = ['HorizontalPodAutoscaler', 'PodDisruptionBudget'].map((kind) => ({
    target: { kind },
    patch: stringify({ $patch: 'delete', kind, metadata: { name: 'any' } }),
  }));
  return {
    'overlays/small/kustomization.yaml': overlay('onefold', [oneConnector, 'nats'], {
      patches: withoutScaling,
    }),
    'overlays/per-domain/kustomization.yaml': overlay('onefold', [...perDomain, 'nats']),
  };
}

/** The documents of a file, as text. */
function yaml(...documents) {
  return (
    note + documents.map((one) => stringify(one, { aliasDuplicateObjects: false })).join('---\n')
  );
}
