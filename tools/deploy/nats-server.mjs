// The manifests of NATS: one server, and a cluster of three that takes its place.
import { foreignDeployment } from './foreign-deployment.mjs';
import { passwordOf, roles } from './nats.mjs';
import { disruptionBudget, dns, labelsOf, serviceAccount, spread } from './workload-manifests.mjs';
import { ports } from './workloads.mjs';

const name = 'nats';
const labels = labelsOf(name);
const selector = { 'app.kubernetes.io/name': name };
const servers = 3;
/** The name in front of which the name of a pod is its address. */
const clusterName = 'nats-cluster';
/** The Secret with the password of the servers and their addresses (tools/deploy-secrets.mjs). */
const routesSecret = 'onefold-nats-cluster';
export const addressesOfServers = Array.from(
  { length: servers },
  (_, number) => `${name}-${number}.${clusterName}:${ports.natsCluster}`,
);

/** One server. */
export function natsManifests() {
  return [serviceAccount(name), deployment('nats.conf'), service(), policy()];
}

/** Three servers. A process connects to any of them, and to another one when it ends. */
export function natsClusterManifests() {
  return [statefulSet(), betweenServersService(), disruptionBudget(name)];
}

/** The configuration of a server of the cluster, in addition to that of a single one. */
export function clusterConfiguration() {
  return `# Written by node tools/deploy.mjs; change tools/deploy and run it.
include "nats.conf"
server_name: $POD_NAME
cluster {
  name: onefold
  listen: "0.0.0.0:${ports.natsCluster}"
  # Processes know the Service alone: the certificate has its name, and not the addresses of pods.
  no_advertise: true
  include "../nats-cluster/routes.conf"
  include "cluster-tls.conf"
}
`;
}

/** Connections that a server of the cluster makes, and a single one does not. */
export const betweenServers = [
  {
    op: 'add',
    path: '/spec/ingress/-',
    value: {
      from: [{ podSelector: { matchLabels: selector } }],
      ports: [{ protocol: 'TCP', port: ports.natsCluster }],
    },
  },
  {
    op: 'add',
    path: '/spec/egress',
    value: [
      dns,
      {
        to: [{ podSelector: { matchLabels: selector } }],
        ports: [{ protocol: 'TCP', port: ports.natsCluster }],
      },
    ],
  },
];

function deployment(configuration) {
  return foreignDeployment(name, {
    configMap: 'onefold-nats',
    healthPath: '/healthz',
    memory: '64Mi',
    pod: { terminationGracePeriodSeconds: 60 },
    container: {
      image: 'nats:2.10-alpine',
      args: ['--config', `/etc/onefold/${configuration}`],
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
}

/** The server of the Deployment three times, each with a name that the others find. */
function statefulSet() {
  const { metadata, spec } = deployment('cluster.conf');
  const { template } = spec;
  const [container] = template.spec.containers;
  const volume = 'nats-cluster';
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      ...spec,
      replicas: servers,
      serviceName: clusterName,
      podManagementPolicy: 'Parallel',
      template: {
        ...template,
        spec: {
          ...template.spec,
          topologySpreadConstraints: spread(name),
          containers: [
            {
              ...container,
              env: [
                { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                ...container.env,
              ],
              ports: [...container.ports, { name: 'cluster', containerPort: ports.natsCluster }],
              // Hands over its clients one after the other; behind it the server ends by itself and takes no notice of SIGTERM.
              lifecycle: {
                preStop: { exec: { command: ['nats-server', '--signal', 'ldm=1'] } },
              },
              volumeMounts: [
                ...container.volumeMounts,
                { name: volume, mountPath: '/etc/nats-cluster', readOnly: true },
              ],
            },
          ],
          volumes: [
            ...template.spec.volumes,
            { name: volume, secret: { secretName: routesSecret, defaultMode: 0o440 } },
          ],
        },
      },
    },
  };
}

function service() {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels },
    spec: { selector, ports: [{ name, port: ports.nats, targetPort: name }] },
  };
}

/** Gives each server an address of its own, before it is ready too: servers look for each other when they start. */
function betweenServersService() {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: clusterName, labels },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector,
      ports: [{ name: 'cluster', port: ports.natsCluster, targetPort: 'cluster' }],
    },
  };
}

function policy() {
  return {
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
}
