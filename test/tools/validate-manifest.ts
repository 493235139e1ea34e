/** The parts of manifests that the tests read. */
export interface PodSpec {
  selector?: { matchLabels?: Record<string, string> };
  podSelector?: { matchLabels?: Record<string, string> };
  scaleTargetRef?: { name: string };
  ports?: { targetPort: string }[];
  ingress?: { from?: object[]; ports?: { port: number }[] }[];
  egress?: { to?: object[]; ports?: { port: number }[] }[];
  template?: {
    metadata: { labels: Record<string, string> };
    spec: {
      serviceAccountName: string;
      automountServiceAccountToken?: boolean;
      securityContext?: object;
      volumes?: { name: string; configMap?: { name: string }; secret?: { secretName: string } }[];
      containers: Container[];
    };
  };
}

interface Probe {
  httpGet: { port: string };
}

interface Container {
  args?: string[];
  env?: {
    name: string;
    value?: string;
    valueFrom?: {
      configMapKeyRef?: { name: string };
      secretKeyRef?: { name: string; key: string };
    };
  }[];
  ports?: { name: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources?: object;
  securityContext?: object;
  volumeMounts?: { name: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: PodSpec;
}

type Model = { prototype: { validate: () => void } };

/**
 * Validates a manifest against the schema of the Kubernetes API. The validators of kubernetes-models pass over fields that they do
 * not know, so fields that they never read are faults, too.
 * @returns what is wrong
 */
export async function validateManifest(manifest: Manifest): Promise<string[]> {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
    string,
    Model
  >;
  const model = models[manifest.kind];
  if (model === undefined) return [`there is no kind ${manifest.kind} in ${manifest.apiVersion}`];
  const seen = new Map<object, { path: string; unread: Set<PropertyKey> }>();
  try {
    model.prototype.validate.call(watchReads(manifest, seen, manifest.kind));
  } catch (error) {
    return [(error as Error).message];
  }
  return [...seen.values()].flatMap(({ path, unread }) =>
    [...unread].map((key) => `unknown field ${path}.${String(key)}`),
  );
}

/** Returns the value, noting in `seen` which fields nobody has read. */
function watchReads<T>(
  value: T,
  seen: Map<object, { path: string; unread: Set<PropertyKey> }>,
  path: string,
): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value) && value.length === 0) return value;
  const noted = seen.get(value) ?? {
    path,
    unread: new Set<PropertyKey>(Array.isArray(value) ? [] : Object.keys(value)),
  };
  seen.set(value, noted);
  return new Proxy(value, {
    get: (target, key) => {
      noted.unread.delete(key);
      const field: unknown = Reflect.get(target, key);
      return watchReads(field, seen, `${path}.${String(key)}`);
    },
    ownKeys: (target) => {
      noted.unread.clear();
      return Reflect.ownKeys(target);
    },
  });
}
