// The files of deploy/kubernetes: base, a component for each kind of connector and for NATS, overlays.
import { stringify } from 'yaml';
import { behindProxy, busTls, gatewayApiManifests, ingressManifests } from './entrance.mjs';
import { foreignDeployment } from './foreign-deployment.mjs';
import { telemetryManifests } from './telemetry.mjs';
import { natsUsers, passwordOf, roles } from './nats.mjs';
import { teamFiles } from './teams.mjs';
import {
  denyAll,
  labelsOf,
  migrateJob,
  networkPolicy,
  serviceAccount,
  tokenJob,
  workload,
} from './workload-manifests.mjs';
import { connectors, consoleWorkload, ports, services } from './workloads.mjs';

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
    ...telemetryFiles(),
    ...consoleFiles(),
    ...entranceFiles(),
    ...Object.assign({}, ...Object.entries(connectors).map(connectorFiles)),
    ...overlayFiles(),
    ...perTeamFiles(),
    'token.yaml': yaml(tokenJob()),
  };
}

function baseFiles() {
  const names = Object.keys(services);
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
  const deployment = foreignDeployment(name, {
    configMap: 'onefold-nats',
    healthPath: '/healthz',
    memory: '64Mi',
    pod: { terminationGracePeriodSeconds: 60 },
    container: {
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
    },
  });
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

/** A collector that gets traces and metrics of all processes, for installations that have none. */
function telemetryFiles() {
  return {
    'components/telemetry/kustomization.yaml': yaml({
      ...kustomize('Component'),
      resources: ['telemetry.yaml'],
      configMapGenerator: [
        {
          name: 'onefold-settings',
          behavior: 'merge',
          literals: [`OTEL_EXPORTER_OTLP_ENDPOINT=http://opentelemetry-collector:${ports.otlp}`],
        },
        { name: 'opentelemetry-collector', files: ['collector.yaml'] },
      ],
    }),
    'components/telemetry/telemetry.yaml': yaml(...telemetryManifests()),
  };
}

/** The console at an address of its own: browsers reach the API from there, so the gateway lets pages of that address call. */
function consoleFiles() {
  const name = 'console';
  return {
    [`components/${name}/kustomization.yaml`]: yaml({
      ...kustomize('Component'),
      resources: [`${name}.yaml`],
      configMapGenerator: [
        {
          name: 'onefold-settings',
          behavior: 'merge',
          literals: ['API_URL=http://localhost:8080', 'CORS_ORIGINS=http://localhost:8081'],
        },
      ],
    }),
    [`components/${name}/${name}.yaml`]: yaml(...workload(name, consoleWorkload)),
  };
}

/** The way in by Ingress or by Gateway API, and TLS of the bus: each for installations that want it. */
function entranceFiles() {
  const settings = (literals) => ({
    configMapGenerator: [{ name: 'onefold-settings', behavior: 'merge', literals }],
  });
  const component = (name, manifests) => ({
    [`components/${name}/kustomization.yaml`]: yaml({
      ...kustomize('Component'),
      resources: [`${name}.yaml`],
      ...settings(behindProxy),
    }),
    [`components/${name}/${name}.yaml`]: yaml(...manifests),
  });
  const { literals, patches } = busTls();
  return {
    ...component('ingress', ingressManifests()),
    ...component('gateway-api', gatewayApiManifests()),
    'components/bus-tls/kustomization.yaml': yaml({
      ...kustomize('Component'),
      ...settings(literals),
      patches: patches.map(({ target, operations }) => ({ target, patch: stringify(operations) })),
    }),
  };
}

/** Small: one pod of each process, with a collector or a console too, and behind each kind of entrance. Per domain: a connector for each domain, which scales by itself. */
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
    ...Object.fromEntries(
      Object.entries({
        'small-with-telemetry': ['telemetry'],
        'small-with-console': ['console'],
        'small-with-tls': ['ingress', 'bus-tls'],
        'small-with-gateway-api': ['gateway-api'],
      }).map(([name, more]) => [
        `overlays/${name}/kustomization.yaml`,
        overlay('onefold', [oneConnector, 'nats', ...more], { patches: withoutScaling }),
      ]),
    ),
    'overlays/per-domain/kustomization.yaml': overlay('onefold', [...perDomain, 'nats']),
  };
}

/** Per team: namespaces, and connectors with the keys of their domains alone. */
function perTeamFiles() {
  return Object.fromEntries(
    Object.entries(teamFiles(kustomize)).map(([file, documents]) => [file, yaml(...documents)]),
  );
}

/** The documents of a file, as text. */
function yaml(...documents) {
  return (
    note + documents.map((one) => stringify(one, { aliasDuplicateObjects: false })).join('---\n')
  );
}
