// The processes in Kubernetes: their connections, which are those of docs/architecture.md, their settings and their sizes.

export const ports = {
  api: 8080,
  observe: 9464,
  nats: 4222,
  natsCluster: 6222,
  natsHealth: 8222,
  postgres: 5432,
  otlp: 4318,
  smtp: [587, 465, 25],
};

/** Memory by docs/operations.md: idle 130 to 215 MB, up to 300 MB more for a file in JSON. A process uses one core. */
const resources = (memory, cpu = '250m') => ({
  requests: { cpu, memory: `${memory}Mi` },
  limits: { memory: `${memory * 3}Mi` },
});

export const services = {
  gateway: {
    connectsTo: ['nats'],
    settings: ['PUBLIC_URL', 'PROXY_HOPS', 'CORS_ORIGINS'],
    resources: resources(256, '500m'),
    replicas: { min: 2, max: 10, perPod: 100 },
    serves: true,
  },
  management: {
    connectsTo: ['nats', 'postgres', 'outside'],
    settings: ['PUBLIC_URL', 'EGRESS_ALLOW', 'DOMAIN_KEYS'],
    resources: resources(256),
    replicas: { min: 2, max: 6, perPod: 50 },
  },
  operations: {
    connectsTo: ['nats', 'postgres', 'outside'],
    settings: ['EGRESS_ALLOW', 'DOMAIN_KEYS'],
    resources: resources(256),
    // It does ten pages of jobs and ten deliveries at once by default: either alone makes it scale.
    replicas: { min: 2, max: 6, perPod: 8 },
  },
};

/** The connector of all domains, of which those of single domains are made (connectors.mjs). */
export const connector = {
  connectsTo: ['nats', 'postgres', 'outside'],
  settings: ['EGRESS_ALLOW', 'DOMAIN_KEYS'],
  resources: resources(320),
  replicas: { min: 2, max: 20, perPod: 50 },
};

/** The console as a process of its own, for installations whose gateway does not serve it. It is not on the bus, and calls nobody: browsers do. */
export const consoleWorkload = {
  connectsTo: [],
  settings: ['API_URL'],
  resources: resources(128, '50m'),
  replicas: { min: 2, max: 4, perPod: 100 },
  serves: true,
};

/** Matches the names of the processes that are on the bus, for the targets of patches. */
export const processes = '(gateway|management|operations|connector.*)';
