// The manifests of an OpenTelemetry collector, and of the connections to it.
import { foreignDeployment } from './foreign-deployment.mjs';
import { labelsOf, serviceAccount } from './workload-manifests.mjs';
import { ports } from './workloads.mjs';

const name = 'opentelemetry-collector';
const healthPort = 13133;
const selector = { 'app.kubernetes.io/name': name };
const processes = { matchLabels: { 'app.kubernetes.io/part-of': 'onefold' } };

export function telemetryManifests() {
  return [serviceAccount(name), deployment(), service(), intoCollector(), fromProcesses()];
}

function deployment() {
  const fromSecret = (variable, optional) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: 'onefold-telemetry', key: variable, optional } },
  });
  return foreignDeployment(name, {
    configMap: name,
    healthPath: '/',
    memory: '128Mi',
    container: {
      image: 'otel/opentelemetry-collector-k8s:0.130.0',
      args: ['--config', '/etc/onefold/collector.yaml'],
      env: [fromSecret('OTLP_BACKEND', false), fromSecret('OTLP_AUTHORIZATION', true)],
      ports: [
        { name: 'otlp', containerPort: ports.otlp },
        { name: 'health', containerPort: healthPort },
      ],
    },
  });
}

function service() {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: { selector, ports: [{ name: 'otlp', port: ports.otlp, targetPort: 'otlp' }] },
  };
}

/** The collector sends to the operator's backend, wherever that is. */
function intoCollector() {
  return policy(name, selector, {
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      { from: [{ podSelector: processes }], ports: [{ protocol: 'TCP', port: ports.otlp }] },
    ],
    egress: [{}],
  });
}

function fromProcesses() {
  return policy('onefold-telemetry', processes.matchLabels, {
    policyTypes: ['Egress'],
    egress: [
      {
        to: [{ podSelector: { matchLabels: selector } }],
        ports: [{ protocol: 'TCP', port: ports.otlp }],
      },
    ],
  });
}

function policy(policyName, matchLabels, spec) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: policyName, labels: labelsOf(policyName) },
    spec: { podSelector: { matchLabels }, ...spec },
  };
}
