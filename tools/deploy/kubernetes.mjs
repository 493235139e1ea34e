// The files of deploy/kubernetes: base, components, the connectors of single domains, overlays.
import { stringify } from 'yaml';
import { servedDomains } from '#contract';
import { connectorFiles, connectorsOf } from './connectors.mjs';
import { behindProxy, busTls, gatewayApiManifests, ingressManifests } from './entrance.mjs';
import {
  betweenServers,
  clusterConfiguration,
  natsClusterManifests,
  natsManifests,
} from './nats-server.mjs';
import { natsUsers } from './nats.mjs';
import { keyServices } from './key-services.mjs';
import { kustomize } from './kustomize.mjs';
import { mailPatches, mailPolicy } from './mail.mjs';
import { teamFiles } from './teams.mjs';
import { telemetryManifests } from './telemetry.mjs';
import {
  denyAll,
  migrateJob,
  networkPolicy,
  serviceAccount,
  tokenJob,
  workload,
} from './workload-manifests.mjs';
import { connector, consoleWorkload, ports, processes, services } from './workloads.mjs';

const note = '# Written by node tools/deploy.mjs; change tools/deploy and run it.\n';

/** Returns the text of each file, by path below deploy/kubernetes. */
export function kubernetesFiles() {
  return {
    ...baseFiles(),
    ...natsFiles(),
    ...telemetryFiles(),
    ...consoleFiles(),
    ...patchedFiles(['mail', { patches: mailPatches, policies: [mailPolicy] }]),
    ...entranceFiles(),
    ...Object.assign({}, ...Object.entries(keyServices).map(patchedFiles)),
    ...textsOf(connectorFiles()),
    ...overlayFiles(),
    ...textsOf(teamFiles()),
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
    'components/connector/kustomization.yaml': yaml({
      ...kustomize('Component'),
      resources: ['connector.yaml'],
    }),
    'components/connector/connector.yaml': yaml(...workload('connector', connector)),
  };
}

/** NATS for installations that have none: one server, and what makes a cluster of it. */
function natsFiles() {
  const maps = (more) => ({ configMapGenerator: [{ name: 'onefold-nats', ...more }] });
  return {
    'components/nats/users.conf': natsUsers(),
    'components/nats/kustomization.yaml': yaml({
      ...kustomize('Component'),
      resources: ['nats.yaml'],
      ...maps({ files: ['nats.conf', 'users.conf', 'tls.conf'] }),
    }),
    'components/nats/nats.yaml': yaml(...natsManifests()),
    'components/nats-cluster/cluster.conf': clusterConfiguration(),
    'components/nats-cluster/kustomization.yaml': yaml({
      ...kustomize('Component'),
      resources: ['nats-cluster.yaml'],
      ...maps({
        behavior: 'merge',
        files: ['cluster.conf'],
        literals: ['cluster-tls.conf=# Without TLS; the component bus-tls replaces this.'],
      }),
      patches: [
        {
          target: { kind: 'Deployment', name: 'nats' },
          patch: stringify({ $patch: 'delete', kind: 'Deployment', metadata: { name: 'nats' } }),
        },
        {
          target: { kind: 'NetworkPolicy', name: 'nats' },
          patch: stringify(betweenServers, { aliasDuplicateObjects: false }),
        },
      ],
    }),
    'components/nats-cluster/nats-cluster.yaml': yaml(...natsClusterManifests()),
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
  const { literals, patches, configuration } = busTls();
  return {
    ...component('ingress', ingressManifests()),
    ...component('gateway-api', gatewayApiManifests()),
    'components/bus-tls/kustomization.yaml': yaml({
      ...kustomize('Component'),
      configMapGenerator: [
        ...settings(literals).configMapGenerator,
        {
          name: 'onefold-nats',
          behavior: 'merge',
          // Both ends of a connection between servers show this certificate.
          literals: ['tls.conf', 'cluster-tls.conf'].map((file) => `${file}=${configuration}`),
        },
      ],
      patches: patches.map(patchOf),
    }),
  };
}

/** A component of patches and of the policies that these need: a key service, or a mail server. */
function patchedFiles([name, { patches, policies }]) {
  return {
    [`components/${name}/kustomization.yaml`]: yaml({
      ...kustomize('Component'),
      resources: [`${name}.yaml`],
      patches: patches.map(patchOf),
    }),
    [`components/${name}/${name}.yaml`]: yaml(...policies),
  };
}

const patchOf = ({ target, operations }) => ({ target, patch: stringify(operations) });

/** Small: one pod of each process; it is the resource of those with a component more. Per domain: a connector for each domain, which scales by itself. */
function overlayFiles() {
  const overlay = (resources, components, more = {}) =>
    yaml({
      ...kustomize('Kustomization'),
      namespace: 'onefold',
      resources,
      components: components.map((name) => `../../components/${name}`),
      ...more,
    });
  const withoutScaling = ['HorizontalPodAutoscaler', 'PodDisruptionBudget'].map((kind) => ({
    target: { kind, name: processes },
    patch: stringify({ $patch: 'delete', kind, metadata: { name: 'any' } }),
  }));
  return {
    'overlays/small/kustomization.yaml': overlay(['../../base'], ['connector', 'nats'], {
      patches: withoutScaling,
    }),
    ...Object.fromEntries(
      Object.entries({
        'small-with-telemetry': ['telemetry'],
        'small-with-console': ['console'],
        'small-with-mail': ['mail'],
        'small-with-tls': ['ingress', 'bus-tls'],
        'small-with-nats-cluster': ['nats-cluster', 'bus-tls'],
        ...Object.fromEntries(
          Object.keys(keyServices).map((name) => [`small-with-${name}`, ['bus-key', name]]),
        ),
        'small-with-gateway-api': ['gateway-api'],
      }).map(([name, more]) => [
        `overlays/${name}/kustomization.yaml`,
        overlay(['../small'], more),
      ]),
    ),
    'overlays/per-domain/kustomization.yaml': overlay(
      ['../../base', ...connectorsOf(servedDomains, '../..')],
      ['nats'],
    ),
  };
}

const textsOf = (files) =>
  Object.fromEntries(Object.entries(files).map(([file, documents]) => [file, yaml(...documents)]));

/** The documents of a file, as text. */
function yaml(...documents) {
  return (
    note + documents.map((one) => stringify(one, { aliasDuplicateObjects: false })).join('---\n')
  );
}
