// The overlay per-team: a namespace for what everybody uses, and one for each team with the connectors of its domains and their keys.
import { servedDomains } from '#contract';
import { connectorsOf } from './connectors.mjs';
import { kustomize } from './kustomize.mjs';
import { denyAll } from './workload-manifests.mjs';
import { processes } from './workloads.mjs';

const partOf = { 'app.kubernetes.io/part-of': 'onefold' };
export const coreNamespace = 'onefold';

/** An example. The last team has the domains of no other, so that a new domain has a team. */
const named = {
  'service-desk': ['ticketing', 'incidentresponse', 'chat', 'notifications'],
  workplace: ['identity', 'assets', 'endpointmanagement', 'storage'],
};
const others = servedDomains.filter((domain) => !Object.values(named).flat().includes(domain));
export const teams = { ...named, security: others };
export const namespaceOf = (team) => `${coreNamespace}-${team}`;

const namespace = (name, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: { ...partOf, 'pod-security.kubernetes.io/enforce': 'restricted', ...labels },
  },
});

/** Lets a team change its Deployments and the Secret with its keys, and read pods and logs of its namespace. */
function teamRole(team) {
  const name = 'onefold-team';
  const deployments = teams[team].map((domain) => `connector-${domain}`);
  const readOnly = ['get', 'list', 'watch'];
  const metadata = { name, labels: partOf };
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: ['apps'], resources: ['deployments'], verbs: readOnly },
        {
          apiGroups: ['apps'],
          resources: ['deployments', 'deployments/scale'],
          resourceNames: deployments,
          verbs: ['update', 'patch'],
        },
        { apiGroups: [''], resources: ['pods', 'pods/log', 'events'], verbs: readOnly },
        { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
        {
          apiGroups: ['autoscaling'],
          resources: ['horizontalpodautoscalers'],
          verbs: [...readOnly, 'update', 'patch'],
        },
        {
          apiGroups: [''],
          resources: ['secrets'],
          resourceNames: ['onefold-key'],
          verbs: ['get', 'update', 'patch'],
        },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: namespaceOf(team) }],
    },
  ];
}

/** The files of the component and the overlays, by path below deploy/kubernetes, as lists of documents. */
export function teamFiles() {
  const folder = 'overlays/per-team';
  const kustomization = (documents) => ({ ...kustomize('Kustomization'), ...documents });
  const settings = (...literals) => [{ name: 'onefold-settings', literals }];
  return {
    'components/bus-key/kustomization.yaml': [
      {
        ...kustomize('Component'),
        patches: [
          { path: 'bus-key.yaml', target: ours },
          { path: 'gateway.yaml', target: { kind: 'Deployment', name: 'gateway' } },
        ],
      },
    ],
    'components/bus-key/bus-key.yaml': [busKeyPatch],
    'components/bus-key/gateway.yaml': [gatewayPatch],
    [`${folder}/kustomization.yaml`]: [
      kustomization({ resources: ['core', ...Object.keys(teams)] }),
    ],
    [`${folder}/core/kustomization.yaml`]: [
      kustomization({
        namespace: coreNamespace,
        resources: ['namespace.yaml', '../../../base'],
        components: ['../../../components/nats', '../../../components/bus-key'],
        configMapGenerator: settings('DOMAIN_KEYS=on').map((one) => ({
          ...one,
          behavior: 'merge',
        })),
        patches: [{ path: 'nats.yaml' }],
      }),
    ],
    [`${folder}/core/namespace.yaml`]: [namespace(coreNamespace)],
    [`${folder}/core/nats.yaml`]: [natsPatch],
    ...Object.assign(
      {},
      ...Object.entries(teams).map(([team, domains]) => ({
        [`${folder}/${team}/kustomization.yaml`]: [
          kustomization({
            namespace: namespaceOf(team),
            resources: ['team.yaml', ...connectorsOf(domains, '../../..')],
            components: ['../../../components/bus-key'],
            configMapGenerator: settings(
              `NATS_URL=nats://nats.${coreNamespace}:4222`,
              'LOG_LEVEL=info',
            ),
          }),
        ],
        [`${folder}/${team}/team.yaml`]: [
          namespace(namespaceOf(team), { 'onefold/team': team }),
          denyAll,
          ...teamRole(team),
        ],
      })),
    ),
  };
}

const ours = { kind: 'Deployment', name: processes };

/** Operations of JSON Patch, because the containers have different names. */
const busKeyPatch = [
  ['containers/0/env', { name: 'BUS_KEY_FILE', value: '/bus-key/bus.key' }],
  ['containers/0/volumeMounts', { name: 'bus-key', mountPath: '/bus-key', readOnly: true }],
  ['volumes', { name: 'bus-key', secret: { secretName: 'onefold-bus-key', defaultMode: 0o440 } }],
].map(([path, value]) => ({ op: 'add', path: `/spec/template/spec/${path}/-`, value }));

/** The gateway is reached from outside, and needs no key but that of the bus. */
const gatewayPatch = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gateway' },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'gateway',
            env: [{ name: 'KEY_FILE', $patch: 'delete' }],
            volumeMounts: [{ mountPath: '/keys', $patch: 'delete' }],
          },
        ],
        volumes: [{ name: 'key', $patch: 'delete' }],
      },
    },
  },
};

/** The connectors of the teams come from their namespaces. */
const natsPatch = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'nats' },
  spec: {
    ingress: [
      {
        from: [
          { namespaceSelector: { matchLabels: partOf }, podSelector: { matchLabels: partOf } },
        ],
        ports: [{ protocol: 'TCP', port: 4222 }],
      },
    ],
  },
};
