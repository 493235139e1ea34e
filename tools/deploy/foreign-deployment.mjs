// The Deployment of a program of others that this installation brings, such as NATS.
import { labelsOf, secure, securePod } from './workload-manifests.mjs';

/**
 * One pod without rights, with a folder of configuration.
 * @param configMap the ConfigMap of /etc/onefold
 * @param healthPath answered at the port `health`
 * @param container what else the container has: image, args, env, ports, memory to request
 * @param pod what else the pod has
 */
export function foreignDeployment(name, { configMap, healthPath, memory, container, pod = {} }) {
  const labels = labelsOf(name);
  const probe = { httpGet: { path: healthPath, port: 'health' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: securePod,
          ...pod,
          containers: [
            {
              name,
              ...container,
              readinessProbe: probe,
              livenessProbe: { ...probe, failureThreshold: 6 },
              resources: {
                requests: { cpu: '100m', memory },
                limits: { memory: '512Mi' },
              },
              securityContext: secure,
              volumeMounts: [{ name: 'config', mountPath: '/etc/onefold', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', configMap: { name: configMap } }],
        },
      },
    },
  };
}
