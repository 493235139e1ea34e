// The optional component for alarms by mail: the settings of the worker, and its way to the mail server.
import { dns, labelsOf } from './workload-manifests.mjs';
import { ports } from './workloads.mjs';

const name = 'onefold-mail';
const sender = 'operations';
/** Variables of the Secret: all are of one server, and one of them is its password. */
const variables = { SMTP_URL: false, SMTP_FROM: false, SMTP_TLS: true, CONSOLE_URL: true };

export const mailPatches = [
  {
    target: { kind: 'Deployment', name: sender },
    operations: Object.entries(variables).map(([key, optional]) => ({
      op: 'add',
      path: '/spec/template/spec/containers/0/env/-',
      value: { name: key, valueFrom: { secretKeyRef: { name, key, optional } } },
    })),
  },
];

/** Lets the worker connect to the ports of mail at any address: the server may be outside, at a private address, or a pod of another namespace. */
export const mailPolicy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    podSelector: { matchLabels: { 'app.kubernetes.io/name': sender } },
    policyTypes: ['Egress'],
    egress: [dns, { ports: ports.smtp.map((port) => ({ protocol: 'TCP', port })) }],
  },
};
