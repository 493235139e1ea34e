// The connectors of single domains: the component `connector` with another name and one domain, which a file of each domain holds.
import { servedDomains } from '#contract';
import { kustomize } from './kustomize.mjs';

const component = 'one-domain';
const pathOf = (domain) => `connectors/${domain}`;

/** Returns the folders of the connectors of domains, from the folder of an overlay. @param up from there to deploy/kubernetes */
export const connectorsOf = (domains, up) => domains.map((domain) => `${up}/${pathOf(domain)}`);

/** The files by path below deploy/kubernetes, as lists of documents. */
export function connectorFiles() {
  return {
    [`components/${component}/kustomization.yaml`]: [
      { ...kustomize('Component'), replacements: [{ source, targets }] },
    ],
    ...Object.fromEntries(servedDomains.flatMap(filesOfDomain)),
  };
}

function filesOfDomain(domain) {
  return [
    [
      `${pathOf(domain)}/kustomization.yaml`,
      [
        {
          ...kustomize('Kustomization'),
          resources: ['domain.yaml'],
          components: ['connector', component].map((name) => `../../components/${name}`),
        },
      ],
    ],
    [
      `${pathOf(domain)}/domain.yaml`,
      [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: `domain-${domain}`,
            // Read by replacements, and left out of what is rendered.
            annotations: { 'config.kubernetes.io/local-config': 'true' },
          },
          data: { domain },
        },
      ],
    ],
  ];
}

const source = { kind: 'ConfigMap', fieldPath: 'data.domain' };
const nameLabel = String.raw`app\.kubernetes\.io/name`;
const pod = 'spec.template';
const container = `${pod}.spec.containers.[name=connector]`;

/** Adds the domain to texts: `connector` becomes `connector-edr`. @param index the number of words in front of it */
const addTo = (kind, fieldPaths, index = 1) => ({
  select: { ...(kind && { kind }), name: 'connector' },
  fieldPaths,
  options: { delimiter: '-', index },
});

/** Where the domain is put. The name of a resource comes last, because the resources are found by it. */
const targets = [
  addTo(undefined, [`metadata.labels.${nameLabel}`]),
  addTo('Deployment', [
    `spec.selector.matchLabels.${nameLabel}`,
    `${pod}.metadata.labels.${nameLabel}`,
    `${pod}.spec.serviceAccountName`,
    `${pod}.spec.topologySpreadConstraints.*.labelSelector.matchLabels.${nameLabel}`,
    `${container}.env.[name=NATS_USER].value`,
  ]),
  addTo('Deployment', [`${container}.env.[name=NATS_PASSWORD].valueFrom.secretKeyRef.name`], 3),
  {
    select: { kind: 'Deployment', name: 'connector' },
    fieldPaths: [
      'metadata.labels.onefold/domain',
      `${pod}.metadata.labels.onefold/domain`,
      `${container}.env.[name=DOMAINS].value`,
    ],
    options: { create: true },
  },
  addTo('PodDisruptionBudget', [`spec.selector.matchLabels.${nameLabel}`]),
  addTo('HorizontalPodAutoscaler', ['spec.scaleTargetRef.name']),
  addTo('NetworkPolicy', [`spec.podSelector.matchLabels.${nameLabel}`]),
  addTo(undefined, ['metadata.name']),
];
