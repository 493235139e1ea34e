// The way into the cluster, by Ingress or by Gateway API, and TLS between the processes and NATS: optional components.
import { labelsOf } from './workload-manifests.mjs';
import { ports, processes } from './workloads.mjs';

/** The name that an installation of its own replaces, and the Secret with its certificate. */
const host = 'onefold.example.com';
const certificate = 'onefold-tls';

/** Settings that follow from a proxy which ends TLS. @returns literals of the ConfigMap onefold-settings */
export const behindProxy = [`PUBLIC_URL=https://${host}`, 'PROXY_HOPS=1'];

const toGateway = { name: 'gateway', port: { name: 'api' } };

export function ingressManifests() {
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'onefold',
        labels: labelsOf('onefold'),
        // Files of any size pass as streams, and calls take up to 300 s; other controllers than that of nginx have settings of their own.
        annotations: {
          'nginx.ingress.kubernetes.io/proxy-body-size': '0',
          'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
          'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
          'nginx.ingress.kubernetes.io/proxy-read-timeout': '330',
          'nginx.ingress.kubernetes.io/proxy-send-timeout': '330',
        },
      },
      spec: {
        tls: [{ hosts: [host], secretName: certificate }],
        rules: [
          {
            host,
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: toGateway } }] },
          },
        ],
      },
    },
  ];
}

/** A Gateway of this namespace with TLS; plain HTTP is sent to https. */
export function gatewayApiManifests() {
  const apiVersion = 'gateway.networking.k8s.io/v1';
  const listener = (name, more) => ({ name, hostname: host, ...more });
  const route = (name, section, rule) => ({
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { name, labels: labelsOf('onefold') },
    spec: {
      parentRefs: [{ name: 'onefold', sectionName: section }],
      hostnames: [host],
      rules: [rule],
    },
  });
  return [
    {
      apiVersion,
      kind: 'Gateway',
      metadata: { name: 'onefold', labels: labelsOf('onefold') },
      spec: {
        gatewayClassName: 'onefold',
        listeners: [
          listener('http', { port: 80, protocol: 'HTTP' }),
          listener('https', {
            port: 443,
            protocol: 'HTTPS',
            tls: { mode: 'Terminate', certificateRefs: [{ name: certificate }] },
          }),
        ],
      },
    },
    route('onefold', 'https', {
      matches: [{ path: { type: 'PathPrefix', value: '/' } }],
      // Without an end: calls have deadlines of their own, and files take as long as they progress.
      timeouts: { request: '0s' },
      backendRefs: [{ name: 'gateway', port: 80 }],
    }),
    route('onefold-to-https', 'http', {
      filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }],
    }),
  ];
}

const volume = 'nats-tls';
const folder = '/etc/nats-tls';
const mount = { name: volume, mountPath: folder, readOnly: true };

/** Patches that encrypt the bus: the certificate into NATS, its authority into every process that logs on. */
export function busTls() {
  const add = (path, value) => ({ op: 'add', path: `/spec/template/spec/${path}`, value });
  const files = (items) => ({ name: volume, secret: { secretName: 'onefold-nats-tls', items } });
  const item = (key) => ({ key, path: key });
  return {
    literals: [`NATS_URL=tls://nats:${ports.nats}`],
    configuration: `tls { cert_file: "${folder}/tls.crt", key_file: "${folder}/tls.key", ca_file: "${folder}/ca.crt" }`,
    patches: [
      {
        target: { kind: '(Deployment|StatefulSet)', name: 'nats' },
        operations: [
          add('containers/0/volumeMounts/-', mount),
          add('volumes/-', files(['tls.crt', 'tls.key', 'ca.crt'].map(item))),
        ],
      },
      {
        target: { kind: 'Deployment', name: processes },
        operations: [
          add('containers/0/env/-', { name: 'NATS_CA_FILE', value: `${folder}/ca.crt` }),
          add('containers/0/volumeMounts/-', mount),
          add('volumes/-', files([item('ca.crt')])),
        ],
      },
    ],
  };
}
