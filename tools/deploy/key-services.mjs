// Optional components for a key-encryption key that a key service has wrapped: who the processes are for it, and the way to it. The gateway opens no
// credentials and calls nobody outside, so it has the key of the bus alone (the component bus-key).
import { dns, labelsOf } from './workload-manifests.mjs';

/** The processes with the key-encryption key; `migrate` is also the account of the Job that makes a token. */
const accounts = '(management|operations|connector.*|migrate)';
const workloads = { kind: '(Deployment|Job)', name: accounts };
const vaultFolder = '/vault';
const vaultPort = 8200;

const add = (path, value) => ({ op: 'add', path, value });
const toPod = (path, value) => add(`/spec/template/spec/${path}`, value);
const annotate = (annotations) => ({
  target: { kind: 'ServiceAccount', name: accounts },
  operations: [add('/metadata/annotations', annotations)],
});

/** The components by name, with their patches and, of `migrate` and for a service inside, the policies that open a way to it. */
export const keyServices = {
  'aws-kms': {
    patches: [
      annotate({ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/onefold-keys' }),
    ],
    policies: [policy({ 'app.kubernetes.io/name': 'migrate' }, 443)],
  },
  'azure-key-vault': {
    patches: [
      annotate({ 'azure.workload.identity/client-id': '00000000-0000-0000-0000-000000000000' }),
      {
        target: workloads,
        operations: [add('/spec/template/metadata/labels/azure.workload.identity~1use', 'true')],
      },
    ],
    policies: [policy({ 'app.kubernetes.io/name': 'migrate' }, 443)],
  },
  vault: {
    patches: [
      {
        target: workloads,
        operations: [
          add('/spec/template/metadata/labels/onefold~1key-service', 'vault'),
          toPod('containers/0/env/-', { name: 'VAULT_TOKEN_FILE', value: `${vaultFolder}/token` }),
          // An authority of the company is in no list of Node's.
          toPod('containers/0/env/-', {
            name: 'NODE_EXTRA_CA_CERTS',
            value: `${vaultFolder}/ca.crt`,
          }),
          toPod('containers/0/volumeMounts/-', {
            name: 'vault',
            mountPath: vaultFolder,
            readOnly: true,
          }),
          toPod('volumes/-', {
            name: 'vault',
            secret: { secretName: 'onefold-vault', defaultMode: 0o440 },
          }),
        ],
      },
    ],
    policies: [policy({ 'onefold/key-service': 'vault' }, vaultPort)],
  },
};

/** Lets pods connect to a port of any address: a key service is outside, at a private address of the cloud, or a pod of another namespace. */
function policy(matchLabels, port) {
  const name = 'onefold-key-service';
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      podSelector: { matchLabels },
      policyTypes: ['Egress'],
      egress: [dns, { ports: [{ protocol: 'TCP', port }] }],
    },
  };
}
