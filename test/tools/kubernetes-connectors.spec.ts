import { expect, it } from '@jest/globals';
import { connectorRole } from '#bus';
import { servedDomains } from '#contract';
import { describeOverlays, manifestsOf, nameOf, ofKind, podOf } from './manifests.js';
import type { Manifest } from './validate-manifest.js';

describeOverlays('the connectors of single domains', () => {
  it('are one for each domain in the overlay per-domain, with the NATS user of that domain', () => {
    const deployments = ofKind(manifestsOf('per-domain'), 'Deployment');
    for (const domain of servedDomains) {
      const one = deployments.find((deployment) => nameOf(deployment) === `connector-${domain}`);
      const env = one && podOf(one).spec.containers[0]?.env;
      expect(env).toContainEqual({ name: 'DOMAINS', value: domain });
      expect(env).toContainEqual({ name: 'NATS_USER', value: connectorRole([domain]) });
    }
    expect(deployments.map(nameOf)).not.toContain('connector');
  });

  it('are that of all domains, each with the domain in its names, labels and settings', () => {
    const ofDomains = manifestsOf('per-domain');
    for (const kind of ['ServiceAccount', 'Deployment', 'NetworkPolicy']) {
      const ofAll = ofKind(manifestsOf('small'), kind).find((one) => nameOf(one) === 'connector');
      for (const domain of servedDomains) {
        const one = ofKind(ofDomains, kind).find((two) => nameOf(two) === `connector-${domain}`);
        expect(one).toEqual(withDomain(ofAll, domain));
      }
    }
  });
});

/** The manifest of the connector of all domains as it has to be for one. */
function withDomain(ofAll: Manifest | undefined, domain: string): Manifest {
  const text = JSON.stringify(ofAll)
    .replaceAll('"connector"', `"connector-${domain}"`)
    .replaceAll('"onefold-nats-connector"', `"onefold-nats-connector-${domain}"`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.kind !== 'Deployment') return manifest;
  const { metadata, spec } = podOf(manifest);
  for (const one of [manifest.metadata, metadata])
    one.labels = { ...one.labels, 'onefold/domain': domain };
  for (const container of spec.containers) {
    container.name = 'connector';
    container.env?.push({ name: 'DOMAINS', value: domain });
  }
  return manifest;
}
