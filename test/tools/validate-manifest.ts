import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema } from 'ajv';

/** The parts of manifests that the tests read. */
export interface PodSpec {
  selector?: { matchLabels?: Record<string, string> };
  podSelector?: { matchLabels?: Record<string, string> };
  scaleTargetRef?: { name: string };
  serviceName?: string;
  replicas?: number;
  ports?: { name: string; port: number; targetPort: string }[];
  /** The Ingress has these two. */
  tls?: { hosts: string[] }[];
  rules?: {
    host?: string;
    http?: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
    backendRefs?: { name: string; port: number }[];
  }[];
  /** The Gateway has listeners, its routes the others. */
  listeners?: { name: string; hostname: string }[];
  parentRefs?: { name: string; sectionName: string }[];
  hostnames?: string[];
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
  name: string;
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
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  spec: PodSpec;
}

/** The kinds of Gateway API are custom resources, which the models of the Kubernetes API do not include. */
const gatewayApi = 'gateway.networking.k8s.io/v1';
const gatewayApiSchemas = JSON.parse(
  readFileSync(new URL('gateway-api-schemas.json', import.meta.url), 'utf8'),
) as Record<string, AnySchema>;

type Model = { prototype: { validate: () => void } };

/**
 * Validates a manifest against the schema of the Kubernetes API. The validators of kubernetes-models pass over fields that they do
 * not know, so fields that they never read are faults, too.
 * @returns what is wrong
 */
export async function validateManifest(manifest: Manifest): Promise<string[]> {
  if (manifest.apiVersion === gatewayApi) return validateGatewayApi(manifest);
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

function validateGatewayApi({ kind, spec }: Manifest): string[] {
  const schema = gatewayApiSchemas[kind];
  if (schema === undefined || kind.startsWith('$'))
    return [`there is no kind ${kind} in ${gatewayApi}`];
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  if (ajv.validate(schema, spec)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${kind} spec${instancePath} ${message} ${JSON.stringify(params)}`,
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
