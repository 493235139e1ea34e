// The manifests of a process: ServiceAccount, Deployment, PodDisruptionBudget, HorizontalPodAutoscaler and NetworkPolicy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { ports } from './workloads.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const image = `onefold:${version}`;
const keyFolder = '/keys';
/** Seconds in which a Service takes a pod out of its list, and those in which a process answers what it has begun. */
const [leaveSeconds, drainSeconds] = [5, 30];

export const labelsOf = (name, more = {}) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'onefold',
  ...more,
});

export const secure = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
export const securePod = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
};

const fromSecret = (variable, name) => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key: variable } },
});
const fromSettings = (variable) => ({
  name: variable,
  valueFrom: { configMapKeyRef: { name: 'onefold-settings', key: variable, optional: true } },
});
/** Settings of every process. */
const everywhere = [
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];
const keyVolume = { name: 'key', secret: { secretName: 'onefold-key', defaultMode: 0o440 } };
const keyMount = { name: 'key', mountPath: keyFolder, readOnly: true };
/** The authority of PostgreSQL's certificate, for addresses with `sslrootcert`; the Secret need not be there. */
const postgresFolder = '/etc/postgres-ca';
const postgresVolume = {
  name: 'postgres-ca',
  secret: { secretName: 'onefold-postgres-ca', optional: true, defaultMode: 0o440 },
};
const postgresMount = { name: 'postgres-ca', mountPath: postgresFolder, readOnly: true };
const keyFile = { name: 'KEY_FILE', value: `${keyFolder}/key-encryption.key` };
const probe = (path, more) => ({ httpGet: { path, port: 'observe' }, timeoutSeconds: 4, ...more });

/** All manifests of a service. @param name such as `gateway`, which is also its user of NATS */
export function workload(name, facts) {
  return [
    serviceAccount(name),
    deployment(name, facts),
    ...(facts.serves ? [service(name)] : []),
    disruptionBudget(name),
    autoscaler(name, facts),
    networkPolicy(name, facts),
  ];
}

export function serviceAccount(name) {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, labels: labelsOf(name) },
    automountServiceAccountToken: false,
  };
}

/** Prefers machines and zones that have fewer pods of the name. */
export const spread = (name) =>
  ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
  }));

function deployment(name, facts) {
  const labels = labelsOf(name);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      // Without `replicas`: the autoscaler has the number, and a rollout must not set it back.
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: {
          labels,
          annotations: {
            'prometheus.io/scrape': 'true',
            'prometheus.io/port': String(ports.observe),
            'prometheus.io/path': '/metrics',
          },
        },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: securePod,
          terminationGracePeriodSeconds: drainSeconds + leaveSeconds + 5,
          topologySpreadConstraints: spread(name),
          containers: [container(name, facts)],
          volumes: [
            ...(isOnBus(facts) ? [keyVolume] : []),
            ...(facts.connectsTo.includes('postgres') ? [postgresVolume] : []),
            { name: 'tmp', emptyDir: {} },
          ],
        },
      },
    },
  };
}

/** Processes on the bus log on to it, and have the key that authenticates its messages. */
const isOnBus = ({ connectsTo }) => connectsTo.includes('nats');

function container(name, { settings, resources, connectsTo, serves }) {
  return {
    name,
    image,
    args: [`dist/apps/${name}/src/main.js`],
    env: [
      ...(isOnBus({ connectsTo })
        ? [
            fromSettings('NATS_URL'),
            { name: 'NATS_USER', value: name },
            fromSecret('NATS_PASSWORD', `onefold-nats-${name}`),
            keyFile,
          ]
        : []),
      ...(connectsTo.includes('postgres') ? [fromSecret('DATABASE_URL', 'onefold-database')] : []),
      ...[...everywhere, ...settings].map(fromSettings),
    ],
    ports: [
      ...(serves ? [{ name: 'api', containerPort: ports.api }] : []),
      { name: 'observe', containerPort: ports.observe },
    ],
    startupProbe: probe('/health/live', { periodSeconds: 2, failureThreshold: 60 }),
    livenessProbe: probe('/health/live', { periodSeconds: 10, failureThreshold: 6 }),
    readinessProbe: probe('/health/ready', { periodSeconds: 5, failureThreshold: 2 }),
    // Calls over NATS are addressed, so a process that stops says so itself. HTTP comes by a list of addresses.
    ...(serves
      ? {
          lifecycle: {
            preStop: {
              exec: { command: ['node', '-e', `setTimeout(() => {}, ${leaveSeconds}000)`] },
            },
          },
        }
      : {}),
    resources,
    securityContext: secure,
    volumeMounts: [
      ...(isOnBus({ connectsTo }) ? [keyMount] : []),
      ...(connectsTo.includes('postgres') ? [postgresMount] : []),
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

function service(name) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      selector: { 'app.kubernetes.io/name': name },
      ports: [{ name: 'api', port: 80, targetPort: 'api' }],
    },
  };
}

export function disruptionBudget(name) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
    },
  };
}

/** Scales by CPU, and by requests in flight where an adapter serves metrics of pods; without one CPU alone scales up. */
function autoscaler(name, { replicas: { min, max, perPod } }) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: min,
      maxReplicas: max,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
        {
          type: 'Pods',
          pods: {
            metric: { name: 'onefold_requests_in_flight' },
            target: { type: 'AverageValue', averageValue: String(perPod) },
          },
        },
      ],
    },
  };
}

const toPort = (port, to) => ({ ...(to && { to }), ports: [{ protocol: 'TCP', port }] });
const egressTo = {
  // Any namespace: NATS may be a cluster of its own.
  nats: toPort(ports.nats, [
    {
      namespaceSelector: {},
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'nats' } },
    },
  ]),
  // Anywhere, because a managed PostgreSQL has no pods.
  postgres: toPort(ports.postgres),
  // Public addresses; libs/egress checks each of them again. Systems inside the company need a rule of your own.
  outside: {
    to: [
      {
        ipBlock: {
          cidr: '0.0.0.0/0',
          except: [
            '10.0.0.0/8',
            '100.64.0.0/10',
            '169.254.0.0/16',
            '172.16.0.0/12',
            '192.168.0.0/16',
          ],
        },
      },
      { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
    ],
  },
};
export const dns = {
  to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })),
};

export function networkPolicy(name, { connectsTo, serves = undefined, observes = true }) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      podSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        ...(serves ? [{ ports: [{ protocol: 'TCP', port: ports.api }] }] : []),
        ...(observes
          ? [
              {
                from: [{ namespaceSelector: {} }],
                ports: [{ protocol: 'TCP', port: ports.observe }],
              },
            ]
          : []),
      ],
      egress: [dns, ...connectsTo.map((target) => egressTo[target])],
    },
  };
}

/** Lets no pod connect or be reached, but as another policy says. */
export const denyAll = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'onefold', labels: { 'app.kubernetes.io/part-of': 'onefold' } },
  spec: {
    podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'onefold' } },
    policyTypes: ['Ingress', 'Egress'],
  },
};

/** The Job that brings the tables to the version of the image. */
export const migrateJob = () => ownerJob('migrate', 'migrate');
/** The Job that prints a token of the first administrator; it is created when somebody needs one. */
export const tokenJob = () => ownerJob('token', 'token');

/** A Job of the owner of the tables. Each has the account and the connections of `migrate`. @param command of `admin` */
function ownerJob(jobName, command) {
  const name = 'migrate';
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: jobName, labels: labelsOf(name) },
    spec: {
      backoffLimit: 10,
      ttlSecondsAfterFinished: 600,
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          restartPolicy: 'OnFailure',
          securityContext: securePod,
          containers: [
            {
              name,
              image,
              args: ['dist/apps/admin/src/main.js', command],
              env: [fromSecret('DATABASE_URL', 'onefold-database-owner'), keyFile],
              resources: {
                requests: { cpu: '100m', memory: '128Mi' },
                limits: { memory: '512Mi' },
              },
              securityContext: secure,
              volumeMounts: [keyMount, postgresMount, { name: 'tmp', mountPath: '/tmp' }],
            },
          ],
          volumes: [keyVolume, postgresVolume, { name: 'tmp', emptyDir: {} }],
        },
      },
    },
  };
}
